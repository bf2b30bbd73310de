/** A bounded, even choice of the rows of a load, kept to be looked up again when the publication is finished. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { type IdentifierKind, isIdentifierKind } from '../../lei/identifier-kinds.ts';
import type { RelationshipRecord } from '../../lei/relationship.ts';
import type { RowOutcome } from '../build/build.ts';
import type { Row } from '../rows.ts';

export interface Samples {
  /** Told of every row and what became of it. */
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

/** Between half as many and as many as this are kept of each kind. */
const samplesMax = 256;

/** Keeps every n-th thing, doubling n and forgetting every other one when there are too many. */
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
    /** Whether the next thing is to be sampled. */
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
  return {
    note(row, outcome) {
      if (row.kind === 'level-1') {
        // A sampled company that comes again is looked up as it was last.
        const { lei } = row.record;
        if (isKept(outcome) && (companies.isDue() || companies.has(lei))) companies.keep(lei, row.record);
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
