/** Defines what the steps of a comparison share. */
import type { SourceKind } from '../../publication/manifest.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import type { Base } from '../base.ts';
import type { Companies } from '../build/companies.ts';
import type { Entities } from '../build/entities.ts';
import type { Exceptions } from '../build/exceptions.ts';
import type { Relationships } from '../build/relationships.ts';
import type { ChangeLog } from './change-log.ts';

export interface Comparison {
  readonly base: Base;
  readonly entities: Entities;
  readonly companies: Companies;
  readonly relationships: Relationships;
  readonly exceptions: Exceptions;
  readonly log: ChangeLog;
  /** Kinds of files in this load. An absent kind counts as unchanged. */
  readonly kinds: ReadonlySet<SourceKind>;
  /** Whether what a file lacks counts as removed. */
  readonly full: boolean;
}

/** Whether a company has or had a record: only then changes are recorded for its LEI. */
export function isKnown({ base, entities }: Comparison, lei: string): boolean {
  return (
    entities.hasRecord(entities.find(lei)) ||
    readDirectoryValue(base.directory.first(lei))?.hasRecord === true
  );
}
