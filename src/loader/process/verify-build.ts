/**
 * Reads a finished build back through the reader that the service uses, before it is sealed. It looks for samples of the
 * rows of the load.
 */
import type { Counts } from '../../lei/answers.ts';
import type { LegalEntityRecord } from '../../lei/company.ts';
import { type MappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import type { RelationshipRecord } from '../../lei/relationship.ts';
import { shownJson } from '../../lei/written-days.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { openStored } from '../../store/raw-publication.ts';
import type { RowOutcome } from '../build/build.ts';
import { countProblems, isFoundByName } from '../checks.ts';
import { LoadFailure } from '../load-request.ts';
import type { SourceRow } from '../rows.ts';
import type { LoadReading } from './read-rows.ts';

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

type RecordRow = Extract<SourceRow, { readonly record: LegalEntityRecord | null }>;

export type BuildSamples = ReturnType<typeof createSamples>;

/** Samples the rows of a load, evenly spaced and bounded in number. */
export function createSamples() {
  const companies = everyNth<LegalEntityRecord>();
  const relationships = everyNth<{ start: string; end: string; type: string }>();
  const pairs = everyNth<{ kind: MappingKind; lei: string; value: string }>();
  const noteRelationship = (
    { start, end, relationship: { type } }: RelationshipRecord,
    outcome: RowOutcome,
  ) => {
    const key = `${start} ${end} ${type}`;
    if (outcome === 'deleted') relationships.forget(key);
    else if (isKept(outcome) && relationships.isDue()) relationships.keep(key, { start, end, type });
  };
  // A sampled company that occurs again replaces its sample: the last record is the stored one.
  const noteCompany = (row: RecordRow, outcome: RowOutcome) => {
    const { record } = row;
    if (row.kind === 'packed-level-1' && outcome === 'replaced') companies.forget(row.lei);
    if (!isKept(outcome) || record === null) return;
    const isKnown = outcome === 'replaced' && companies.has(record.lei);
    if (companies.isDue() || isKnown) companies.keep(record.lei, record);
  };
  return {
    /** Takes every row with its outcome. */
    note(row: SourceRow, outcome: RowOutcome): void {
      if (row.kind === 'level-1' || row.kind === 'packed-level-1') {
        noteCompany(row, outcome);
      } else if (row.kind === 'relationships') {
        noteRelationship(row.record, outcome);
      } else if ('value' in row && pairs.isDue()) {
        const { kind, lei, value } = row;
        pairs.keep(`${kind} ${lei} ${value}`, { kind, lei, value });
      }
    },
    /** The last record of each sampled LEI. */
    companies: companies.values,
    relationships: relationships.values,
    pairs: pairs.values,
  };
}

/**
 * A full set has as many records as its files brought keys. Deletions, which full sets lack, would make the sums wrong.
 * @throws LoadFailure `verification`
 */
export function verifyCounts(counts: Counts, { keys, deleted }: Pick<LoadReading, 'keys' | 'deleted'>): void {
  if (deleted > 0) return;
  const expectations: readonly (readonly [string, number, number])[] = [
    ['companies', counts.entities, keys['level-1'] ?? 0],
    ['relationships', counts.relationships, keys.relationships ?? 0],
    ['reporting exceptions', counts.reportingExceptions, keys['reporting-exceptions'] ?? 0],
  ];
  for (const [what, found, expected] of expectations) {
    if (found !== expected) fail(`it holds ${found} ${what}, but its files hold ${expected}`);
  }
}

/**
 * Compares the rows of the tables with the counts that the publication states.
 * @throws LoadFailure `verification`
 */
export async function verifyTables(folder: string, id: string): Promise<void> {
  const raw = openStored(folder, id);
  const [first] = countProblems(raw);
  await raw.close();
  if (first !== undefined) fail(first);
}

/** The fault of the first sampled record that does not read back as it was loaded; null if all do. */
export function misreadSample(reader: PublicationReader, samples: BuildSamples): string | null {
  for (const record of samples.companies()) {
    if (!isReadBack(reader, record)) return `${record.lei} does not read back as it was in its file`;
  }
  for (const { start, end, type } of samples.relationships()) {
    const from = reader.find(start)?.entity ?? 0;
    const to = reader.find(end)?.entity ?? 0;
    const found = reader.relationships(from).asStart.some((item) => item.end === to && item.type === type);
    if (!found) return `the relationship ${type} of ${start} to ${end} is not found`;
  }
  for (const { kind, lei, value } of samples.pairs()) {
    const stored = mappingTable[kind].canonical(value);
    const entity = reader.find(lei)?.entity ?? 0;
    if (!reader.entitiesOf(kind, stored).includes(entity))
      return `${kind.toUpperCase()} ${value} does not lead to ${lei}`;
  }
  return null;
}

function isReadBack(reader: PublicationReader, record: LegalEntityRecord): boolean {
  const entry = reader.find(record.lei);
  const company = entry === null ? null : reader.company(entry.entity);
  if (company === null) return false;
  const { lei, entity, registration, validation } = JSON.parse(Buffer.from(company.json).toString());
  const { id, other } = entity.legalForm;
  const successorEntities = record.entity.successorEntities.map((successor) => ({
    lei: successor.lei,
    name: successor.name,
  }));
  return Bun.deepEquals(
    { lei, entity: { ...entity, legalForm: { id, other } }, registration, validation },
    JSON.parse(shownJson({ ...record, entity: { ...record.entity, successorEntities } })),
  );
}

function fail(what: string): never {
  throw new LoadFailure(
    'verification',
    `The finished publication failed its verification: ${what}. It was deleted.`,
  );
}

/** The sampled companies that a search for their own names does not find, as `NAME (LEI)`. */
export function failedCanaries(reader: PublicationReader, samples: BuildSamples): string[] {
  return samples
    .companies()
    .slice(0, canariesMax)
    .map(({ lei, entity }) => ({ lei, name: entity.legalName.name }))
    .filter(({ lei, name }) => !isFoundByName(reader, reader.find(lei)?.entity ?? 0, name))
    .map(({ lei, name }) => `${name} (${lei})`);
}
const canariesMax = 8;
