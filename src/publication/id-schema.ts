/** The schema of ids, apart from the paths, which every thread and command needs. */
import { Type } from '@sinclair/typebox';
import { idPattern } from './layout.ts';

/** The id of a publication in a message of another process or machine. */
export const PublicationIdSchema = Type.String({ pattern: idPattern.source });
