/** The last step of a build: what its tables hold of companies, written down once more for those who ask. */
import { type Glimpse, glimpse } from '../lmdb.ts';
import { companiesIn } from '../publication/layout.ts';
import { CompanyFileWriter } from '../store/company-file-writer.ts';
import { openRaw, type RawPublication } from '../store/raw-publication.ts';

/**
 * Companies read under one opening of the environment. Closing it unmaps what was read: in one go, the pages of all
 * companies would count as memory of this process, gigabytes of them.
 */
const companiesPerOpening = 125_000;

/**
 * Writes the company file of the publication in a folder, whose tables are finished.
 * @param perOpening how many companies are read under one opening of the environment
 */
export async function writeCompanyFile(
  folder: string,
  id: string,
  progress: (share: number) => void,
  perOpening = companiesPerOpening,
): Promise<void> {
  const lastEntity = await withTables(folder, id, ({ meta }) => meta.lastEntity);
  const writer = new CompanyFileWriter(companiesIn(folder), id, lastEntity);
  try {
    for (let first = 1; first <= lastEntity; first += perOpening) {
      const last = Math.min(lastEntity, first + perOpening - 1);
      await withTables(folder, id, (raw) => writeRows(raw, writer, first, last));
      progress(last / lastEntity);
    }
    writer.finish();
  } finally {
    writer.close();
  }
}

async function withTables<Result>(
  folder: string,
  id: string,
  action: (raw: RawPublication) => Result,
): Promise<Result> {
  const raw = openRaw(folder, id);
  try {
    return action(raw);
  } finally {
    await raw.close();
  }
}

function writeRows(raw: RawPublication, writer: CompanyFileWriter, first: number, last: number): void {
  const { tables, transaction } = raw;
  for (let entity = first; entity <= last; entity++) {
    const mappings = kept(glimpse(tables.mappings, entity, { transaction }));
    const record = glimpse(tables.entities, entity, { transaction });
    if (record === null) throw new Error(`Entity ${entity} was given a number, but is not stored.`);
    writer.add(entity, record, mappings);
  }
}

let keptBytes = Buffer.allocUnsafeSlow(4096);

/** What the next read of any table leaves as it is. */
function kept(row: Glimpse | null): Glimpse | null {
  if (row === null) return null;
  if (row.length > keptBytes.length) keptBytes = Buffer.allocUnsafeSlow(2 * row.length);
  row.bytes.copy(keptBytes, 0, 0, row.length);
  return { bytes: keptBytes, length: row.length };
}
