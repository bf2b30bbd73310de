/** Writes the rows of companies: the records that a load brings, with their identifiers. */
import type { Glimpse } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import { commonWords } from '../../store/columns/signatures.ts';
import { isOfThisVersion } from '../../store/company-file.ts';
import { CompanyFileChanges } from '../../store/company-file-changes.ts';
import { CompanyFileWriter, type CompanyRowWriter } from '../../store/company-file-writer.ts';
import type { Base } from '../base.ts';
import type { CompanyRecords } from './company-records.ts';
import type { Entities } from './entities.ts';

export interface CompanyRows {
  /** Writes the row of an entity with these mappings. Entities ascend; those left out keep the mappings they had. */
  put(entity: number, mappings: Glimpse | null): void;
  /** Writes the rows left. The file is then complete. @returns the sum of its rows */
  finish(): number;
  /** Closes the file, finished or not. */
  close(): void;
}

interface RowSources {
  readonly records: CompanyRecords;
  readonly entities: Pick<Entities, 'last' | 'lei'>;
  /** The publication whose copy is changed. */
  readonly grown: Base | null;
}

/** @param folder of the publication @param id its id */
export function openCompanyRows(folder: string, id: string, sources: RowSources): CompanyRows {
  const { entities, grown } = sources;
  const changes = grown === null ? null : openChanges(folder, id, sources, grown);
  if (changes !== null && grown !== null)
    return companyRows(changes, changedNumbers(grown, sources), sources);
  const common = commonWords(entities.last, recordsOf(sources));
  const writer = new CompanyFileWriter(companiesIn(folder), id, entities.last, common);
  return companyRows(writer, numbersFrom(1, entities.last), sources);
}

/** Null if the file must be written anew: it is of an earlier version, has too much free room, or too few cells. */
function openChanges(
  folder: string,
  id: string,
  { entities }: RowSources,
  { meta }: Base,
): CompanyFileChanges | null {
  const path = companiesIn(folder);
  if (meta.rowSum === undefined || !isOfThisVersion(path)) return null;
  const changes = new CompanyFileChanges(path, { id, lastEntity: entities.last, sum: meta.rowSum });
  if (changes.fits) return changes;
  changes.close();
  return null;
}

/** The entities whose row changes even without new identifiers. */
function* changedNumbers({ meta }: Base, { entities, records }: RowSources): Generator<number> {
  for (const entity of records.brought()) if (entity <= meta.lastEntity) yield entity;
  yield* numbersFrom(meta.lastEntity + 1, entities.last);
}

function* numbersFrom(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}

/** Each scattered read also maps the pages around it, about 64 KB. */
const rowsPerUnmap = 2_000;

/** @param due the entities whose row is written in any case, ascending */
function companyRows(writer: CompanyRowWriter, due: Generator<number>, sources: RowSources): CompanyRows {
  const { grown } = sources;
  let next = due.next();
  const recordOf = recordsOf(sources);
  let written = 0;
  const write = (entity: number, mappings: Glimpse | null) => {
    writer.put({ entity, record: recordOf(entity), mappings });
    if (++written % rowsPerUnmap === 0) grown?.companies.unmap();
  };
  const writeBelow = (end: number) => {
    for (; next.done !== true && next.value < end; next = due.next()) {
      const entity = next.value;
      write(entity, grown?.companies.mappings(entity) ?? null);
    }
  };
  return {
    put(entity, mappings) {
      writeBelow(entity);
      if (next.done !== true && next.value === entity) next = due.next();
      write(entity, mappings);
    },
    finish() {
      writeBelow(Number.POSITIVE_INFINITY);
      return writer.finish();
    },
    close: () => writer.close(),
  };
}

/** Reads what is stored of an entity: the record that the load brings, or that of the base. */
function recordsOf({ records, entities, grown }: RowSources): (entity: number) => Glimpse {
  return (entity) =>
    records.read(entity) ?? grown?.companies.record(entity) ?? leiAlone(entities.lei(entity));
}

function leiAlone(lei: string): Glimpse {
  const bytes = Buffer.from(lei, 'latin1');
  return { bytes, length: bytes.length };
}
