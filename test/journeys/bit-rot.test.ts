/** Bits that flip in the files of a running service. */
import { expect, test } from 'bun:test';
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { entryAt, entryBytes, parseHeader, placeUnit } from '../../src/store/row-file/layout.ts';
import { rowFileTables } from '../../src/store/search/format.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

/** A small generator of numbers below `limit`, so that a failure can be repeated. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function flipBits(path: string, count: number, next: (limit: number) => number): void {
  const file = openSync(path, 'r+');
  const { size } = statSync(path);
  const byte = Buffer.alloc(1);
  for (let flipped = 0; flipped < count; flipped++) {
    const at = next(size);
    readSync(file, byte, 0, 1, at);
    byte.writeUInt8(byte.readUInt8(0) ^ (1 << next(8)), 0);
    writeSync(file, byte, 0, 1, at);
  }
  closeSync(file);
}

function dataIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
}

/** Gives every row of the first table of a search file a length that no file has. */
function damageRows(path: string): void {
  const bytes = readFileSync(path);
  const list = parseHeader(bytes, rowFileTables.length)?.lists[rowFileTables.indexOf('names')];
  if (list === undefined) throw new Error(`${path} has no list of names.`);
  const file = openSync(path, 'r+');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(2 ** 31);
  for (let row = 0; row < list.rows; row++)
    writeSync(file, length, 0, 4, list.place * placeUnit + row * entryBytes + entryAt.bytes);
  closeSync(file);
}

test('a search that meets damage in the search file ends all answers about data: any could come from damaged bytes', async () => {
  const service = await startTestService();
  try {
    const statusOf = async (path: string) => (await service.fetch(path)).status;
    const company = '/api/v1/lei/529900T8BM49AURSDO55';
    expect(await statusOf('/api/v1/search?q=bank')).toBe(200);
    const folder = layout(service.dataDir);
    const id = readPointer(folder)?.id ?? '';
    damageRows(folder.search(id));
    expect(await statusOf('/api/v1/search?q=bank')).toBe(503);
    await until(() => service.publications.active() === null);
    expect([await statusOf('/api/v1/search?q=bank'), await statusOf(company)]).toEqual([503, 503]);
    expect(readFileSync(folder.damage(id), 'utf8')).toContain(`${folder.search(id)} is damaged: row`);
  } finally {
    await service.stop();
  }
});

/** Overwrites the rows of a table of a search file, whose places and lengths stay. */
function overwriteRows(path: string, table: (typeof rowFileTables)[number]): void {
  const bytes = readFileSync(path);
  const list = parseHeader(bytes, rowFileTables.length)?.lists[rowFileTables.indexOf(table)];
  if (list === undefined) throw new Error(`${path} has no list of ${table}.`);
  const file = openSync(path, 'r+');
  for (let row = 0; row < list.rows; row++) {
    const entry = list.place * placeUnit + row * entryBytes;
    const at = bytes.readUInt32LE(entry + entryAt.place) * placeUnit;
    writeSync(file, Buffer.alloc(bytes.readUInt32LE(entry + entryAt.bytes), 1), 0, undefined, at);
  }
  closeSync(file);
}

test('a question that fails over wrong bytes in a row has the publication checked at once', async () => {
  const service = await startTestService();
  try {
    const folder = layout(service.dataDir);
    const id = readPointer(folder)?.id ?? '';
    overwriteRows(folder.search(id), 'postings');
    expect((await service.fetch('/api/v1/search?q=bank')).status).toBe(503);
    await until(() => service.publications.active() === null);
    expect(readFileSync(folder.damage(id), 'utf8')).toContain(`${folder.search(id)} is damaged: its digest`);
  } finally {
    await service.stop();
  }
});

test('bits that flip while the service runs change no answer: it is the same as before or 503', async () => {
  const seed = Date.now() >>> 0;
  const next = numbersFrom(seed);
  const service = await startTestService();
  try {
    const ask = async (path: string) => {
      const answer = await service.fetch(path);
      return { status: answer.status, data: dataIn(await answer.json()) };
    };
    const listed = JSON.stringify(await ask('/api/v1/search?q=bank&limit=100'));
    const leis = [...listed.matchAll(/"lei":"(\w{20})"/g)].map(([, lei]) => lei);
    const unknown = ['00000000000000000098', '00EHHQ2ZHDCFXJCPCL46'];
    const paths = [...leis, ...unknown].map((lei) => `/api/v1/lei/${lei}`);
    const before = await Promise.all(paths.map(ask));
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(50);
    const folder = layout(service.dataDir);
    const id = readPointer(folder)?.id ?? '';
    // In the cells, in rows and between them: about every third company is damaged.
    flipBits(folder.companies(id), statSync(folder.companies(id)).size / 1000, next);
    const after = await Promise.all(paths.map(ask));
    const failed = after.filter(({ status }) => status === 503);
    expect(failed.length).toBeGreaterThan(0);
    for (const [index, answer] of after.entries()) {
      if (answer.status !== 503) expect({ seed, answer }).toEqual({ seed, answer: before[index] ?? answer });
    }
    // No other publication could take its place.
    expect(service.publications.active()?.manifest.id).toBe(id);
    await until(() => service.publications.lastFailure() !== null);
    expect(service.publications.lastFailure()?.message).toContain(`${folder.companies(id)} is damaged`);
  } finally {
    await service.stop();
  }
});
