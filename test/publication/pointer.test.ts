import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { temporaryFolder } from '../support/folders.ts';

const idOf = (n: number) => `20261004T160000Z-${String(n).padStart(8, '0')}`;

test('an activation is at least a second later than the one before, for any clock', () => {
  const paths = layout(temporaryFolder('pointer'));
  const at = (time: string, n: number) => movePointer(paths, idOf(n), new Date(time), readPointer(paths));
  expect(at('2026-10-04T16:00:00Z', 1).activatedAt).toBe('2026-10-04T16:00:00Z');
  expect(at('2026-10-04T16:00:00Z', 2).activatedAt).toBe('2026-10-04T16:00:01Z');
  expect(at('2026-10-03T16:00:00Z', 3).activatedAt).toBe('2026-10-04T16:00:02Z');
  expect(at('2026-10-04T17:00:00Z', 4).activatedAt).toBe('2026-10-04T17:00:00Z');
});

test('a pointer that cannot be read is refused, and can be moved again; one that cannot be written stays', () => {
  const paths = layout(temporaryFolder('pointer'));
  const now = new Date('2026-10-04T16:00:00Z');
  const first = movePointer(paths, idOf(1), now, null);
  writeFileSync(paths.pointer, 'rubbish');
  expect(() => readPointer(paths)).toThrow('is damaged');
  movePointer(paths, idOf(2), now, first);
  const second = readPointer(paths);
  expect(second).toMatchObject({ id: idOf(2), previous: [{ id: idOf(1) }] });
  // A folder in place of the file that is written before it is renamed.
  mkdirSync(`${paths.pointer}.${process.pid}.tmp`);
  expect(() => movePointer(paths, idOf(3), now, second)).toThrow();
  expect(readPointer(paths)).toEqual(second);
});

test('twenty earlier activations are kept; of alternating publications, the first and the last', () => {
  const paths = layout(temporaryFolder('pointer'));
  const now = new Date('2026-10-04T16:00:00Z');
  /** The pointer after publications were activated in turn, a second apart, and then a last one. */
  const remembered = (ids: readonly number[]) => {
    const activations = ids.map((n, second) => ({
      id: idOf(n),
      activatedAt: `2026-10-04T15:00:${String(second).padStart(2, '0')}Z`,
    }));
    const [before = { id: '', activatedAt: '' }, ...previous] = activations.reverse();
    return movePointer(paths, idOf(99), now, { ...before, previous }).previous.map(
      ({ id, activatedAt }) => `${Number(id.slice(-8))} ${activatedAt.slice(17, 19)}`,
    );
  };
  const inTurn = Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? 2 : 3));
  expect(remembered([1, ...inTurn])).toEqual(['3 20', '2 19', '3 02', '2 01', '1 00']);
  const different = Array.from({ length: 21 }, (_, n) => n);
  expect(remembered(different)).toEqual(
    different
      .slice(1)
      .reverse()
      .map((n) => `${n} ${String(n).padStart(2, '0')}`),
  );
});

test('a pointer without a publication or a time is damaged, and an earlier activation without them is dropped', () => {
  const paths = layout(temporaryFolder('pointer'));
  const good = { id: idOf(1), activatedAt: '2026-10-04T16:00:00Z' };
  const odd = [{ ...good, id: '../state' }, { ...good, activatedAt: 'yesterday' }, { id: idOf(1) }, null, 7];
  for (const value of odd) {
    writeFileSync(paths.pointer, JSON.stringify(value));
    expect(() => readPointer(paths)).toThrow(`${paths.pointer} is damaged`);
  }
  writeFileSync(paths.pointer, JSON.stringify({ ...good, previous: [...odd, good] }));
  expect(readPointer(paths)).toEqual({ ...good, previous: [good] });
});

test('a pointer of more than a few kilobytes is damaged and is not read', () => {
  const paths = layout(temporaryFolder('pointer'));
  const pointer = { id: '20261004T160000Z-00000001', activatedAt: '2026-10-05T12:00:00Z', previous: [] };
  const text = JSON.stringify(pointer);
  writeFileSync(paths.pointer, text.padEnd(16 * 1024));
  expect(readPointer(paths)).toEqual(pointer);
  writeFileSync(paths.pointer, text.padEnd(16 * 1024 + 1));
  expect(() => readPointer(paths)).toThrow('is damaged');
});
