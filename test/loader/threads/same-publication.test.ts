/** Tests that a load makes the same publication with any number of cores, byte for byte except its name. */
import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileFormat, formats } from '../../../src/generate/files/golden-copy.ts';
import { generate } from '../../../src/generate/generate.ts';
import { openReadOnly } from '../../../src/lmdb.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { operator } from '../publishing.ts';

async function generated(format: FileFormat): Promise<string[]> {
  const folder = join(temporaryFolder('same-publication'), 'files');
  // So many that the files of companies and of exceptions are parsed in threads.
  const options = { entities: 4_500, seed: 5, delta: null, format, folder };
  const files = await generate(options, () => undefined);
  return files.map(({ name }) => join(folder, name));
}

/** A digest of each table, without the publication's own name. */
function tablesOf(dataDir: string, id: string): Record<string, string> {
  const environment = openReadOnly(layout(dataDir).publication(id));
  const digests: Record<string, string> = {};
  for (const name of [...environment.getKeys({})]) {
    const table = environment.openDB({ name: String(name), encoding: 'binary', keyEncoding: 'binary' });
    const hash = createHash('sha256');
    for (const { key, value } of table.getRange({})) {
      hash.update(Buffer.from(String(key)));
      hash.update(Buffer.from(value).toString('latin1').replaceAll(id, ''));
    }
    digests[String(name)] = hash.digest('hex');
  }
  environment.close();
  return digests;
}

async function loaded(files: readonly string[], threads: number) {
  const someone = operator();
  const { manifest, ...outcome } = await someone.loadFiles(files, { threads });
  const { counts, files: sources } = manifest;
  const sealed = sources.map(({ publication: _, ...source }) => source);
  return {
    outcome,
    counts,
    sealed,
    messages: someone.messages,
    tables: tablesOf(someone.dataDir, manifest.id),
  };
}

/** Numbers of cores that are compared with two; each takes a second or more of processor time. */
const cores = process.env['LONG_CORES']?.split(' ').map(Number);

test.each(cores === undefined ? ['csv' as const] : formats)(
  'a set in %s is the same with any number of cores',
  async (format) => {
    const files = await generated(format);
    const withTwo = await loaded(files, 2);
    expect(Object.keys(withTwo.tables).length).toBeGreaterThan(15);
    for (const threads of cores ?? [4]) expect(await loaded(files, threads)).toEqual(withTwo);
  },
);
