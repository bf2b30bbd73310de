/** Tests which publications count as fetched, and so may be deleted by their node. */
import { beforeEach, expect, test } from 'bun:test';
import { cpSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchedIds, markFetched } from '../../src/publication/fetched.ts';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { movePointer } from '../../src/publication/pointer.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';

const [fetched, built] = ['20261004T160000Z-00000001', '20261004T160000Z-00000002'];
let paths: Layout;
beforeEach(() => {
  paths = layout(temporaryFolder('fetched'));
  sealPublication(paths, fetched);
  sealPublication(paths, built);
  const incoming = paths.incoming(fetched);
  mkdirSync(paths.incomings);
  renameSync(paths.publication(fetched), incoming);
  markFetched(paths, incoming);
  renameSync(incoming, paths.publication(fetched));
});

test('a fetched publication counts, and one that was built here does not', () => {
  expect(fetchedIds(paths)).toEqual([fetched]);
});

test('a fetched publication counts no longer once it is activated', () => {
  movePointer(paths, fetched, new Date(), null);
  movePointer(paths, built, new Date(), null);
  expect(fetchedIds(paths)).toEqual([]);
});

test('the mark is gone before the pointer moves, so a publication that could not be activated stays', () => {
  mkdirSync(join(paths.pointer, 'in-the-way'), { recursive: true });
  expect(() => movePointer(paths, fetched, new Date(), null)).toThrow();
  expect(existsSync(paths.fetched(fetched))).toBe(false);
});

test('a data folder that is moved keeps what it has fetched', () => {
  const moved = layout(join(temporaryFolder('moved'), 'data'));
  renameSync(paths.dataDir, moved.dataDir);
  expect(fetchedIds(moved)).toEqual([fetched]);
});

test.each<[string, (id: string, kept: string) => void]>([
  ['copied to another data folder', () => copyAll()],
  ['moved to another data folder', () => moveAll()],
  [
    'copied away, deleted and copied back',
    (id, kept) => {
      cpSync(paths.publication(id), kept, { recursive: true, preserveTimestamps: true });
      rmSync(paths.publication(id), { recursive: true });
      cpSync(kept, paths.publication(id), { recursive: true, preserveTimestamps: true });
    },
  ],
  [
    'restored over the fetched one, whose folder stays',
    (id, kept) => {
      cpSync(paths.publication(id), kept, { recursive: true });
      rmSync(paths.manifest(id));
      cpSync(kept, paths.publication(id), { recursive: true });
    },
  ],
  ['linked by a backup', (id, kept) => linkSync(paths.manifest(id), kept)],
])('a publication does not count as fetched if it was %s', (_, change) => {
  change(fetched, join(temporaryFolder('kept'), 'copy'));
  expect(existsSync(paths.fetched(fetched))).toBe(true);
  expect(fetchedIds(paths)).toEqual([]);
});

/** From now on the paths are of a data folder that has a copy of everything. */
function copyAll(): void {
  const copied = layout(temporaryFolder('copied'));
  cpSync(paths.publications, copied.publications, { recursive: true, preserveTimestamps: true });
  paths = copied;
}

function moveAll(): void {
  const other = layout(temporaryFolder('other'));
  mkdirSync(other.publications);
  renameSync(paths.publication(fetched), other.publication(fetched));
  paths = other;
}
