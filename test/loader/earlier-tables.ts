/** Gives a sealed publication the form of earlier versions, which have companies in tables beside the company file. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import { layout } from '../../src/publication/layout.ts';
import { isRecord, leiLength } from '../../src/store/company-fields.ts';
import { CompanyFile } from '../../src/store/company-file.ts';
import { mark } from '../../src/store/company-file-layout.ts';
import { readMeta, writeMeta } from '../../src/store/meta.ts';
import { writePackedTable } from '../../src/store/packed-table.ts';
import { openCompanyTables, openTables } from '../../src/store/tables.ts';
import type { Operator } from './publishing.ts';
import { reseal } from './resealing.ts';

/** @param companyFile whether it has one, of a format that is not read any more */
export async function moveToTables(
  someone: Pick<Operator, 'dataDir'>,
  id: string,
  { companyFile }: { readonly companyFile: boolean },
): Promise<void> {
  const paths = layout(someone.dataDir);
  const environment = openForBuilding(paths.publication(id));
  const companies = new CompanyFile(paths.companies(id), id, 'through');
  const { entities, mappings, directory } = openCompanyTables(environment);
  const keys: Buffer[] = [];
  const values = Uint32Array.from({ length: companies.lastEntity }, (_, index) => {
    const entity = index + 1;
    const [record, mapped] = [companies.record(entity), companies.mappings(entity)];
    if (record === null) throw new Error(`There is no entity ${entity}.`);
    entities.putSync(entity, Buffer.from(record.bytes.subarray(0, record.length)));
    if (mapped !== null) mappings.putSync(entity, Buffer.from(mapped.bytes.subarray(0, mapped.length)));
    keys.push(Buffer.from(record.bytes.subarray(0, leiLength)));
    return entity * 2 + (isRecord(record) ? 1 : 0);
  });
  companies.close();
  const entries = { keyWidth: leiLength, count: keys.length, keys: Buffer.concat(keys), values };
  const { meta } = openTables(environment);
  const { rowSum: _, shapes, ...rest } = readMeta(meta, undefined);
  const shape = writePackedTable(directory, entries, (a, b) => a - b);
  writeMeta(meta, { ...rest, formatVersion: 2, shapes: { ...shapes, directory: shape } });
  await syncAndClose(environment);
  const bytes = readFileSync(paths.companies(id));
  bytes.write('4\n', mark.length);
  writeFileSync(paths.companies(id), bytes);
  await reseal(someone, id);
  const manifest = { ...JSON.parse(readFileSync(paths.manifest(id), 'utf8')), formatVersion: 2 };
  if (!companyFile) rmSync(paths.companies(id));
  writeFileSync(
    paths.manifest(id),
    JSON.stringify(companyFile ? manifest : { ...manifest, companies: undefined }),
  );
}
