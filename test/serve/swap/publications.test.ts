import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { markFetched } from '../../../src/publication/fetched.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { sealedIds } from '../../../src/publication/sealed.ts';
import { controlHandler } from '../../../src/serve/control.ts';
import type { ActivationFailure } from '../../../src/serve/swap/publications.ts';
import { sealPublication } from './sealed-folder.ts';
import { endIdleThreads, first, fourth, ServedFolder, second, third } from './served-folder.ts';

let served: ServedFolder;
beforeEach(async () => {
  served = await ServedFolder.make();
});
afterEach(() => served.close());
afterAll(endIdleThreads);

describe('swapping', () => {
  test('makes every thread serve a sealed publication, and keeps the previous one for cursors', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    sealPublication(served.paths, second);
    served.clock = new Date('2026-10-06T12:00:00Z');
    expect(await publications.activate(second)).toBeNull();
    expect(publications.serving.active()).toMatchObject({
      manifest: { id: second },
      activatedAt: '2026-10-06T12:00:00Z',
    });
    expect(readPointer(served.paths)?.id).toBe(second);
    expect(await served.publicationAnswering(second)).toBe(second);
    expect(publications.serving.held(first)?.activatedAt).toBe('2026-10-05T12:00:00Z');
    expect(await served.publicationAnswering(first)).toBe(first);
  });

  test('brings a publication into memory before its rows are read; a start does not wait for that', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    expect(served.steps).toEqual([`inspect ${first}`]);
    sealPublication(served.paths, second);
    await publications.activate(second);
    expect(served.steps.slice(1)).toEqual([`into memory ${second}`, `inspect ${second}`]);
    // Held for cursors, which may not have read any of its rows.
    await publications.activate(first);
    expect(served.steps.slice(3)).toEqual([`into memory ${first}`]);
  });

  test('closes publications that are no longer kept in every thread, then deletes them', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third]) {
      sealPublication(served.paths, id);
      expect(await publications.activate(id)).toBeNull();
    }
    await publications.release([]);
    expect(publications.serving.held(first)).toBeNull();
    expect(await served.publicationAnswering(first)).toBe('publication-gone');
    expect(existsSync(served.paths.publication(first))).toBe(false);
    expect(existsSync(served.paths.publication(second))).toBe(true);
  });

  test('lists the earlier publications that are kept, once each, with their latest activation', async () => {
    served.activateOnDisk(first);
    const publications = await served.start({}, 3);
    for (const id of [second, third, second, first, second, third]) {
      sealPublication(served.paths, id);
      served.clock = new Date(served.clock.getTime() + 3_600_000);
      await publications.activate(id);
    }
    await publications.release([first]);
    expect(publications.serving.previous()).toEqual([{ id: second, activatedAt: '2026-10-05T17:00:00Z' }]);
    expect(readPointer(served.paths)?.previous.map(({ id }) => id)).toEqual([
      second,
      first,
      second,
      third,
      second,
      first,
    ]);
  });

  test('does not list the active publication as an earlier one after a rollback to it', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    sealPublication(served.paths, second);
    await publications.activate(second);
    await publications.activate(first);
    expect(publications.serving.previous().map(({ id }) => id)).toEqual([second]);
  });

  test('does not count publications whose files are missing as kept', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third]) sealPublication(served.paths, id);
    await publications.activate(second);
    await publications.release([second]);
    rmSync(served.paths.publication(second), { recursive: true });
    await publications.activate(third);
    await publications.release([]);
    expect(publications.serving.previous().map(({ id }) => id)).toEqual([first]);
    expect(await served.publicationAnswering(first)).toBe(first);
    expect(existsSync(served.paths.publication(first))).toBe(true);
  });

  test('warns if the clearing up after a swap fails, and swaps again', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    // Both are open, so that a rollback needs nothing of the folder.
    const { publications: folder } = served.paths;
    renameSync(folder, `${folder}-elsewhere`);
    writeFileSync(folder, '');
    expect(await publications.activate(first)).toBeNull();
    await publications.release([]);
    expect(served.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'Outdated publications could not be retired.',
      }),
    );
    rmSync(folder);
    renameSync(`${folder}-elsewhere`, folder);
    sealPublication(served.paths, third);
    expect(await publications.activate(third)).toBeNull();
    expect(await served.publicationAnswering(third)).toBe(third);
  });

  test('deletes a fetched publication only if it is not held and the pointer does not name it', async () => {
    for (const id of [first, second]) served.activateOnDisk(id);
    const publications = await served.start({}, 1);
    for (const id of [third, fourth]) sealPublication(served.paths, id);
    await publications.makeReady(third, '2026-10-06T12:00:00Z');
    for (const id of [first, second, third, fourth]) markFetched(served.paths, served.paths.publication(id));
    const left = async () => {
      for (const id of [first, second, third, fourth]) await publications.deleteFetched(id);
      return [...sealedIds(served.paths)].sort();
    };
    expect(await left()).toEqual([first, second, third]);
    // Closes the third, and deletes the first, of which no more are kept.
    await publications.expectNone();
    expect(await left()).toEqual([second]);
  });

  test('never deletes a publication without the mark of a fetched one', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    sealPublication(served.paths, second);
    await publications.deleteFetched(second);
    expect(existsSync(served.paths.publication(second))).toBe(true);
  });

  test('deletes no fetched publication while the pointer is damaged, because it may name any', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    sealPublication(served.paths, second);
    markFetched(served.paths, served.paths.publication(second));
    writeFileSync(served.paths.pointer, '{');
    await publications.deleteFetched(second);
    expect(existsSync(served.paths.publication(second))).toBe(true);
  });

  test('warns about a publication that cannot be deleted, and deletes the others', async () => {
    for (const id of [first, second]) served.activateOnDisk(id);
    const publications = await served.start({}, 2);
    // A folder can't be deleted like a file.
    rmSync(served.paths.manifest(first));
    mkdirSync(served.paths.manifest(first));
    for (const id of [third, fourth]) {
      sealPublication(served.paths, id);
      await publications.activate(id);
    }
    await publications.release([]);
    const warned = served.log.lines.filter(({ level }) => level === 'warn');
    expect(warned).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ publication: first }) }),
    );
    expect(existsSync(served.paths.publication(second))).toBe(false);
    expect(existsSync(served.paths.publication(third))).toBe(true);
  });

  test('keeps as many publications open and on disk as LEI_KEEP_PUBLICATIONS says', async () => {
    served.activateOnDisk(first);
    const publications = await served.start({}, 3);
    for (const id of [second, third]) {
      sealPublication(served.paths, id);
      await publications.activate(id);
    }
    await publications.release([]);
    expect(await served.publicationAnswering(first)).toBe(first);
    expect(existsSync(served.paths.publication(first))).toBe(true);
  });

  test('does not delete a publication that was never active: it may be about to be activated', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third, fourth]) sealPublication(served.paths, id);
    await publications.activate(third);
    await publications.activate(fourth);
    await publications.release([]);
    expect(existsSync(served.paths.publication(second))).toBe(true);
    expect(existsSync(served.paths.publication(first))).toBe(false);
  });

  interface UnfitPublication {
    readonly what: string;
    readonly id: string;
    readonly code: ActivationFailure['code'];
    readonly damage?: () => void;
    readonly unsound?: Readonly<Record<string, string>>;
  }
  const unfit: readonly UnfitPublication[] = [
    { what: 'does not exist', id: third, code: 'missing' },
    {
      what: 'is truncated',
      id: second,
      code: 'damaged',
      damage: () => truncateSync(served.paths.environment(second), 2),
    },
    {
      what: 'is of a newer format',
      id: second,
      code: 'newer-format',
      damage: () => void sealPublication(served.paths, second, { formatVersion: 99 }),
    },
    { what: 'fails its inspection', id: second, code: 'open-failed', unsound: { [second]: 'no' } },
    {
      what: 'can not be opened by a thread',
      id: `${second.slice(0, -3)}bad`,
      code: 'open-failed',
      damage: () => void sealPublication(served.paths, `${second.slice(0, -3)}bad`),
    },
  ];
  for (const { what, id, code, damage, unsound } of unfit) {
    test(`a publication that ${what} changes nothing, and the status says why`, async () => {
      served.activateOnDisk(first);
      const publications = await served.start(unsound);
      const before = readFileSync(served.paths.pointer, 'utf8');
      sealPublication(served.paths, second);
      damage?.();
      const failure = await publications.activate(id);
      expect(failure?.code).toBe(code);
      expect(publications.serving.active()?.manifest.id).toBe(first);
      expect(readFileSync(served.paths.pointer, 'utf8')).toBe(before);
      expect(publications.serving.lastFailure()).toMatchObject({
        phase: 'activate',
        message: failure?.message,
      });
      expect(await served.publicationAnswering(first)).toBe(first);
      expect(await served.publicationAnswering(id)).toBe('publication-gone');
    });
  }

  test('changes nothing if the pointer cannot be moved', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    rmSync(served.paths.pointer);
    mkdirSync(served.paths.pointer);
    sealPublication(served.paths, second);
    expect(await publications.activate(second)).toMatchObject({ code: 'pointer-failed' });
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(await served.publicationAnswering(first)).toBe(first);
    expect(await served.publicationAnswering(second)).toBe('publication-gone');
  });

  test('keeps the previous publication for cursors if the pointer cannot be moved back', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    rmSync(served.paths.pointer);
    mkdirSync(served.paths.pointer);
    expect(await publications.activate(first)).toMatchObject({ code: 'pointer-failed' });
    expect(await served.publicationAnswering(first)).toBe(first);
  });

  test('clears the last failure at the next success', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.activate(third);
    expect(publications.serving.lastFailure()).not.toBeNull();
    sealPublication(served.paths, second);
    await publications.activate(second);
    expect(publications.serving.lastFailure()).toBeNull();
  });

  test('continues if a thread ends during a swap, and replaces the thread', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    const deadly = `${second.slice(0, -4)}dead`;
    sealPublication(served.paths, deadly);
    expect(await publications.activate(deadly)).toBeNull();
    expect(served.ports).toHaveLength(3);
    expect(await served.publicationAnswering(deadly)).toBe(deadly);
  });

  test('runs simultaneous requests one after the other, and the last one prevails', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third, fourth]) sealPublication(served.paths, id);
    const failures = await Promise.all([second, third, fourth].map((id) => publications.activate(id)));
    expect(failures).toEqual([null, null, null]);
    expect(publications.serving.active()?.manifest.id).toBe(fourth);
    expect(readPointer(served.paths)?.previous.map(({ id }) => id)).toEqual([third, second, first]);
  });

  test('moves Last-Modified forward on a rollback too', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    sealPublication(served.paths, second);
    await publications.activate(second);
    const activatedAt = publications.serving.active()?.activatedAt ?? '';
    expect(await publications.activate(first)).toBeNull();
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect((publications.serving.active()?.activatedAt ?? '') > activatedAt).toBe(true);
  });

  test('succeeds and changes nothing if the publication is already active', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    const before = readFileSync(served.paths.pointer, 'utf8');
    expect(await publications.activate(first)).toBeNull();
    expect(readFileSync(served.paths.pointer, 'utf8')).toBe(before);
  });

  test('keeps answering during swaps, each question from one publication', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third, fourth]) sealPublication(served.paths, id);
    let swapping = true;
    const wrong: string[] = [];
    let asked = 0;
    const asking = (async () => {
      while (swapping) {
        const id = publications.serving.active()?.manifest.id ?? '';
        const answers = await Promise.all(Array.from({ length: 20 }, () => served.publicationAnswering(id)));
        asked += answers.length;
        wrong.push(...answers.filter((answer) => answer !== id));
      }
    })();
    const failures: unknown[] = [];
    for (const id of [second, third, fourth]) failures.push(await publications.activate(id));
    swapping = false;
    await asking;
    expect(failures).toEqual([null, null, null]);
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(0);
  });
});

test('a command that has publications released learns which were: all but the active one', async () => {
  for (const id of [first, second]) served.activateOnDisk(id);
  const publications = await served.start();
  const handle = controlHandler({ publications, status: () => null, accountsChanged: async () => {} });
  const ids = [first, second];
  expect(await handle({ op: 'release', ids })).toEqual({ ok: true, value: { released: [first] } });
  expect(await served.publicationAnswering(first)).toBe('publication-gone');
});
