/** A bounded, even choice of the rows of a load, kept to be looked up again when the publication is finished. */
import type { LegalEntityRecord } from '../lei/company.ts';
import type { RowOutcome } from './build/build.ts';
import type { Row } from './rows.ts';

export interface Samples {
  /** Told of every row and what became of it. */
  note(row: Row, outcome: RowOutcome): void;
  /** The last record of each sampled LEI. */
  companies(): readonly LegalEntityRecord[];
  relationships(): readonly { readonly start: string; readonly end: string; readonly type: string }[];
  pairs(): readonly {
    readonly kind: 'bic' | 'isin' | 'mic' | 'gem' | 'qcc';
    readonly lei: string;
    readonly value: string;
  }[];
}

/** Between half as many and as many as this are kept of each kind. */
const samplesMax = 256;

/** Keeps every n-th thing, doubling n and forgetting every other one when there are too many. */
function everyNth<T>() {
  let kept = new Map<string, T>();
  let stride = 1;
  let seen = 0;
  return {
    offer(key: string, value: () => T) {
      // A sampled key that comes again is looked up as it was last.
      if (kept.has(key)) kept.set(key, value());
      else if (seen++ % stride === 0) kept.set(key, value());
      if (kept.size <= samplesMax) return;
      kept = new Map([...kept].filter((_, index) => index % 2 === 0));
      stride *= 2;
    },
    forget: (key: string) => void kept.delete(key),
    values: () => [...kept.values()],
  };
}

export function createSamples(): Samples {
  const companies = everyNth<LegalEntityRecord>();
  const relationships = everyNth<{ start: string; end: string; type: string }>();
  const pairs = everyNth<ReturnType<Samples['pairs']>[number]>();
  return {
    note(row, outcome) {
      if (row.kind === 'relationships') {
        const { start, end, relationship } = row.record;
        const key = `${start} ${end} ${relationship.type}`;
        if (outcome === 'stored') relationships.offer(key, () => ({ start, end, type: relationship.type }));
        else if (outcome === 'deleted') relationships.forget(key);
      }
      if (outcome !== 'stored') return;
      if (row.kind === 'level-1') {
        companies.offer(row.record.lei, () => row.record);
      } else if ('value' in row && row.kind !== 'ocid') {
        const { kind, lei, value } = row;
        pairs.offer(`${kind} ${lei} ${value}`, () => ({ kind, lei, value }));
      }
    },
    companies: companies.values,
    relationships: relationships.values,
    pairs: pairs.values,
  };
}
