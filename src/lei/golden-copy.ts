/**
 * Names the elements of the three families of golden copy files: companies, relationships, reporting exceptions; and the
 * windows of their deltas. Loader and generator share the names; published files in the tests hold both to them.
 */

/** The names that XML and JSON files of a family have in common, in every version since 2016. */
export interface FileFamily {
  readonly kind: 'level-1' | 'relationships' | 'reporting-exceptions';
  readonly namespace: string;
  /** The prefix of the namespace in GLEIF's files. */
  readonly prefix: string;
  readonly root: string;
  /** Child of the root with the file's statements about itself. */
  readonly header: string;
  /** Child of the root with the records. */
  readonly list: string;
  readonly record: string;
  /** Member of the JSON root with the records. */
  readonly jsonList: string;
}

const schemas = 'http://www.gleif.org/data/schema';

/** The families, by their names in the names of files. */
export const goldenCopy = {
  lei2: {
    kind: 'level-1',
    namespace: `${schemas}/leidata/2016`,
    prefix: 'lei',
    root: 'LEIData',
    header: 'LEIHeader',
    list: 'LEIRecords',
    record: 'LEIRecord',
    jsonList: 'records',
  },
  rr: {
    kind: 'relationships',
    namespace: `${schemas}/rr/2016`,
    prefix: 'rr',
    root: 'RelationshipData',
    header: 'Header',
    list: 'RelationshipRecords',
    record: 'RelationshipRecord',
    jsonList: 'relations',
  },
  repex: {
    kind: 'reporting-exceptions',
    namespace: `${schemas}/repex/2016`,
    prefix: 'repex',
    root: 'ReportingExceptionData',
    header: 'Header',
    list: 'ReportingExceptions',
    record: 'Exception',
    jsonList: 'exceptions',
  },
} as const satisfies Record<string, FileFamily>;

export type Family = keyof typeof goldenCopy;

/** GLEIF's delta windows from short to long. */
export const deltaWindows = [
  { name: 'IntraDay', inFile: 'intra-day', hours: 8 },
  { name: 'LastDay', inFile: 'last-day', hours: 24 },
  { name: 'LastWeek', inFile: 'last-week', hours: 7 * 24 },
  { name: 'LastMonth', inFile: 'last-month', hours: 31 * 24 },
] as const;

/** The span of a delta, by its names in GLEIF's answers and in the names of files. */
export type DeltaWindow = (typeof deltaWindows)[number];
