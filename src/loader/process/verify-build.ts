/** Reads a finished build back through the reader that the service uses, before it is sealed. */
import type { Counts } from '../../lei/answers.ts';
import type { LegalEntityRecord } from '../../lei/company.ts';
import { mappingTable } from '../../lei/identifier-kinds.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { openRaw } from '../../store/raw-publication.ts';
import { countProblems, isFoundByName } from '../checks.ts';
import { LoadFailure } from '../load-request.ts';
import type { Reading } from './reading.ts';
import type { Samples } from './samples.ts';

/**
 * A full set has as many records as its files brought keys. Deletions, which full sets lack, would make the sums wrong.
 * @throws LoadFailure `verification`
 */
export function verifyCounts(counts: Counts, { keys, deleted }: Pick<Reading, 'keys' | 'deleted'>): void {
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
  const raw = openRaw(folder, id);
  const [first] = countProblems(raw);
  await raw.close();
  if (first !== undefined) fail(first);
}

/** The fault of the first sampled record that does not read back as it was loaded; null if all do. */
export function misreadSample(reader: PublicationReader, samples: Samples): string | null {
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
  return Bun.deepEquals(
    { lei, entity: { ...entity, legalForm: { id, other } }, registration, validation },
    record,
  );
}

function fail(what: string): never {
  throw new LoadFailure(
    'verification',
    `The finished publication failed its verification: ${what}. It was deleted.`,
  );
}

/** The sampled companies that a search for their own names does not find, as `NAME (LEI)`. */
export function failedCanaries(reader: PublicationReader, samples: Samples): string[] {
  return samples
    .companies()
    .slice(0, canariesMax)
    .map(({ lei, entity }) => ({ lei, name: entity.legalName.name }))
    .filter(({ lei, name }) => !isFoundByName(reader, reader.find(lei)?.entity ?? 0, name))
    .map(({ lei, name }) => `${name} (${lei})`);
}
const canariesMax = 8;
