/** The description of an environment: one JSON row of its meta table, which a load writes last. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { CountsSchema } from '../lei/answers.ts';
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { TimestampSchema } from '../lei/schema.ts';
import type { ReadTransaction, TextTable } from '../lmdb.ts';

const count = Type.Integer({ minimum: 0 });
const ShapeSchema = Type.Object({ keyWidth: count, buckets: count, entries: count });

const MetaSchema = Type.Object({
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

const key = 'publication';

export function writeMeta(table: TextTable, meta: Meta): void {
  table.putSync(key, JSON.stringify(meta));
}

/** Throws with a reason if the row is missing or malformed. */
export function readMeta(table: TextTable, transaction: ReadTransaction | undefined): Meta {
  const text = table.get(key, transaction === undefined ? {} : { transaction });
  if (text === undefined)
    throw new Error('The environment was never finished: it has no description of itself.');
  const meta: unknown = JSON.parse(text);
  if (!Value.Check(MetaSchema, meta)) {
    const first = Value.Errors(MetaSchema, meta).First();
    throw new Error(
      `The environment's description is not of this version: ${first?.path} ${first?.message}.`,
    );
  }
  return meta;
}
