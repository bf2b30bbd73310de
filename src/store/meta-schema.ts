/** The schema of an environment's description (meta.ts). */
import { type Static, Type } from '@sinclair/typebox';
import { CountsSchema } from '../lei/answers.ts';
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { TimestampSchema } from '../lei/schema.ts';

const count = Type.Integer({ minimum: 0 });
const ShapeSchema = Type.Object({ keyWidth: count, buckets: count, entries: count });

export const MetaSchema = Type.Object({
  id: Type.String(),
  formatVersion: Type.Integer(),
  schemaVersion: Type.String(),
  sourcePublishedAt: TimestampSchema,
  /** When the newest file of each kind was published. A delta must reach back to that time. */
  contentDates: Type.Record(Type.String(), TimestampSchema),
  /** Dataset versions that provenance points to, oldest first; the last belongs to this publication. */
  versions: Type.Array(Type.String()),
  /** Files that provenance points to. */
  files: Type.Array(
    Type.Object({ source: Type.String(), name: Type.String(), publishedAt: TimestampSchema }),
  ),
  /** ISO 3166-1 alpha-2 codes of legal addresses. */
  countries: Type.Array(Type.String()),
  counts: CountsSchema,
  /** Count of relationship records with a company record at both ends. */
  resolvableRelationships: count,
  /** The greatest entity and relationship number ever given. */
  lastEntity: count,
  lastRelationship: count,
  lastException: count,
  /** The sum of the checksums of all rows of the company file (company-file-writer.ts). Missing in an earlier version. */
  rowSum: Type.Optional(count),
  shapes: Type.Object({
    ...byKind(identifierKinds, () => ShapeSchema),
    /** Missing in a publication of an earlier version. */
    ocid: Type.Optional(ShapeSchema),
    /** Present only if an earlier version made the publication, which then has companies in tables. */
    directory: Type.Optional(ShapeSchema),
  }),
});
export type Meta = Static<typeof MetaSchema>;
