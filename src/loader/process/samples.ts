/** Samples the rows of a load, evenly spaced and bounded in number, for the checks of the finished publication. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { type IdentifierKind, isIdentifierKind } from '../../lei/identifier-kinds.ts';
import type { RelationshipRecord } from '../../lei/relationship.ts';
import type { RowOutcome } from '../build/build.ts';
import type { Row } from '../rows.ts';

export interface Samples {
  /** Takes every row with its outcome. */
  note(row: Row, outcome: RowOutcome): void;
  /** The last record of each sampled LEI. */
  companies(): readonly LegalEntityRecord[];
  relationships(): readonly { readonly start: string; readonly end: string; readonly type: string }[];
  pairs(): readonly {
    readonly kind: IdentifierKind;
    readonly lei: string;
    readonly value: string;
  }[];
}

/** The most samples of a kind; at least half as many are kept. */
const samplesMax = 256;

/** Keeps every n-th item. When there are too many it drops every other one and doubles n. */
function everyNth<T>() {
  let kept = new Map<string, T>();
  let stride = 1;
  let seen = 0;
  const keep = (key: string, value: T) => {
    kept.set(key, value);
    if (kept.size <= samplesMax) return;
    kept = new Map([...kept].filter((_, index) => index % 2 === 0));
    stride *= 2;
  };
  return {
    /** Whether to sample the next item. */
    isDue: () => seen++ % stride === 0,
    has: (key: string) => kept.has(key),
    keep,
    forget: (key: string) => void kept.delete(key),
    values: () => [...kept.values()],
  };
}

function isKept(outcome: RowOutcome): boolean {
  return outcome === 'stored' || outcome === 'replaced';
}

type CompanyRow = Extract<Row, { readonly record: LegalEntityRecord | null }>;

export function createSamples(): Samples {
  const companies = everyNth<LegalEntityRecord>();
  const relationships = everyNth<{ start: string; end: string; type: string }>();
  const pairs = everyNth<ReturnType<Samples['pairs']>[number]>();
  const noteRelationship = (
    { start, end, relationship: { type } }: RelationshipRecord,
    outcome: RowOutcome,
  ) => {
    const key = `${start} ${end} ${type}`;
    if (outcome === 'deleted') relationships.forget(key);
    else if (isKept(outcome) && relationships.isDue()) relationships.keep(key, { start, end, type });
  };
  // A sampled company that occurs again replaces its sample: the last record is the stored one.
  const noteCompany = (row: CompanyRow, outcome: RowOutcome) => {
    const { record } = row;
    if (row.kind === 'packed-level-1' && outcome === 'replaced') companies.forget(row.lei);
    if (!isKept(outcome) || record === null) return;
    if (companies.isDue() || companies.has(record.lei)) companies.keep(record.lei, record);
  };
  return {
    note(row, outcome) {
      if (row.kind === 'level-1' || row.kind === 'packed-level-1') {
        noteCompany(row, outcome);
      } else if (row.kind === 'relationships') {
        noteRelationship(row.record, outcome);
      } else if ('value' in row && isIdentifierKind(row.kind) && outcome === 'stored' && pairs.isDue()) {
        const { kind, lei, value } = row;
        pairs.keep(`${kind} ${lei} ${value}`, { kind, lei, value });
      }
    },
    companies: companies.values,
    relationships: relationships.values,
    pairs: pairs.values,
  };
}
