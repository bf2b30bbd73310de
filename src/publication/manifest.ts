/** The manifest of a sealed publication, `manifest.json`: its sources, its content, and its files' digests. */
import { type Static, Type } from '@sinclair/typebox';
import { CountsSchema } from '../lei/answers.ts';
import { loadedLists } from '../lei/gleif-code-lists.ts';
import { kindsByFile } from '../lei/identifier-kinds.ts';
import { TimestampSchema } from '../lei/schema.ts';
import { PublicationIdSchema } from './id-schema.ts';
import { segmentBytes } from './segment-digests.ts';

const sourceKinds = [
  ...(['level-1', 'relationships', 'reporting-exceptions'] as const),
  ...kindsByFile,
  'mic-list',
  ...loadedLists,
] as const;
export type SourceKind = (typeof sourceKinds)[number];

const count = Type.Integer({ minimum: 0 });

/** A file as it was sealed. */
const sealedFile = Type.Object({
  bytes: count,
  /** SHA-256 of the digests of its segments (segment-digests.ts), or of the whole file if `segmentBytes` is absent. */
  sha256: Type.String(),
  /** Absent if an older version made the publication. */
  segmentBytes: Type.Optional(Type.Literal(segmentBytes)),
});
export type SealedFile = Static<typeof sealedFile>;

const SourceFileSchema = Type.Object({
  /** File name without its folder, as the operator gave it. */
  name: Type.String(),
  kind: Type.Union(sourceKinds.map((kind) => Type.Literal(kind))),
  sha256: Type.String(),
  /** Size of the file as given, compressed or not. */
  bytes: count,
  rows: count,
  rejected: count,
  /** Odd values that were kept. */
  remarks: count,
  /** The file's ContentDate, otherwise the time in its name; null without both. */
  contentDate: Type.Union([TimestampSchema, Type.Null()]),
  /**
   * The publication that read it: this one or, for a delta or a history, one that it was made from. Older ones don't
   * say.
   */
  publication: Type.Optional(PublicationIdSchema),
});
export type SourceFile = Static<typeof SourceFileSchema>;

export const ManifestSchema = Type.Object({
  id: PublicationIdSchema,
  formatVersion: Type.Integer(),
  schemaVersion: Type.String(),
  toolVersion: Type.String(),
  sourcePublishedAt: TimestampSchema,
  builtAt: TimestampSchema,
  sample: Type.Boolean(),
  /** The publication that this one was compared with, or made from by a delta; null for a first load. */
  basedOn: Type.Union([PublicationIdSchema, Type.Null()]),
  delta: Type.Boolean(),
  /** The files that rows of this publication come from, those of the oldest load first. */
  files: Type.Array(SourceFileSchema),
  counts: CountsSchema,
  /** Codes of the countries of the legal addresses. Absent if an older version made the publication. */
  countries: Type.Optional(Type.Array(Type.String())),
  /** Relationship records with a company record at both ends. */
  resolvableRelationships: count,
  environment: sealedFile,
  /** The company file. Absent if an older version made the publication, which can't then be served. */
  companies: Type.Optional(sealedFile),
  /** The rows of the search index. Absent if an older version made the publication, which can't then be served. */
  search: Type.Optional(sealedFile),
});
export type Manifest = Static<typeof ManifestSchema>;
