/** Lists the three families of common data files, which XML and JSON share. */
import type { RecordReport } from '../record/report.ts';
import { readLevel1 } from './level-1.ts';
import { readException, readRelationship } from './level-2.ts';

export interface Family {
  readonly kind: 'level-1' | 'relationships' | 'reporting-exceptions';
  /** Member of the JSON root with the records. */
  readonly jsonList: string;
  /** Of all versions since 2016. */
  readonly namespace: string;
  readonly root: string;
  /** Child of the root with the file's statements about itself. */
  readonly header: string;
  readonly record: string;
  /** Reads one record. */
  read(node: unknown, report: RecordReport): void;
}

const schemas = 'http://www.gleif.org/data/schema';

export const families: readonly Family[] = [
  {
    kind: 'level-1',
    jsonList: 'records',
    namespace: `${schemas}/leidata/2016`,
    root: 'LEIData',
    header: 'LEIHeader',
    record: 'LEIRecord',
    read: readLevel1,
  },
  {
    kind: 'relationships',
    jsonList: 'relations',
    namespace: `${schemas}/rr/2016`,
    root: 'RelationshipData',
    header: 'Header',
    record: 'RelationshipRecord',
    read: readRelationship,
  },
  {
    kind: 'reporting-exceptions',
    jsonList: 'exceptions',
    namespace: `${schemas}/repex/2016`,
    root: 'ReportingExceptionData',
    header: 'Header',
    record: 'Exception',
    read: readException,
  },
];
