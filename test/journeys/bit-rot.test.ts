/** Bits that flip in the company file of a running service. */
import { expect, test } from 'bun:test';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { startTestService } from '../support/service.ts';

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
    expect(service.publications.lastFailure()?.message).toContain(`${folder.companies(id)} is damaged`);
  } finally {
    await service.stop();
  }
});
