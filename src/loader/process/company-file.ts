/** Writes the company file: a read-optimised copy of what the tables hold of companies. */
import { withRoom } from '../../bytes/room.ts';
import { type Glimpse, glimpse } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import { CompanyFileWriter } from '../../store/company-file-writer.ts';
import { type Base, openBase } from '../base.ts';

/** Companies read between two releases of the mapped pages, which count as memory of this process. */
const companiesPerRelease = 125_000;

/**
 * @param folder of a publication whose tables are finished
 * @param progress gets the share of companies written, 0 to 1
 * @param perRelease companies read between two releases of mapped pages
 */
export async function writeCompanyFile(
  folder: string,
  id: string,
  progress: (share: number) => void,
  perRelease = companiesPerRelease,
): Promise<void> {
  const built = openBase(folder, id);
  try {
    writeFrom(built, companiesIn(folder), progress, perRelease);
  } finally {
    await built.close();
  }
}

function writeFrom(built: Base, path: string, progress: (share: number) => void, perRelease: number): void {
  const { id, lastEntity } = built.meta;
  const writer = new CompanyFileWriter(path, id, lastEntity);
  try {
    for (let first = 1; first <= lastEntity; first += perRelease) {
      const last = Math.min(lastEntity, first + perRelease - 1);
      writeRows(built, writer, first, last);
      built.unmap();
      progress(last / lastEntity);
    }
    writer.finish();
  } finally {
    writer.close();
  }
}

function writeRows(
  { tables, transaction }: Base,
  writer: CompanyFileWriter,
  first: number,
  last: number,
): void {
  for (let entity = first; entity <= last; entity++) {
    const mappings = kept(glimpse(tables.mappings, entity, { transaction }));
    const record = glimpse(tables.entities, entity, { transaction });
    if (record === null) throw new Error(`Entity ${entity} was given a number, but is not stored.`);
    writer.add(entity, record, mappings);
  }
}

let keptBytes = Buffer.allocUnsafeSlow(4096);

/** A copy of a row: the next read of any table overwrites the original. */
function kept(row: Glimpse | null): Glimpse | null {
  if (row === null) return null;
  keptBytes = withRoom(keptBytes, 0, row.length, Buffer.allocUnsafeSlow);
  row.bytes.copy(keptBytes, 0, 0, row.length);
  return { bytes: keptBytes, length: row.length };
}
