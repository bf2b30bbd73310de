import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { ActivationFailure } from '../../../src/front/publication/publications.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { sealPublication } from './sealed-folder.ts';

import {
  activateOnDisk,
  clock,
  eachOverItsOwnFolder,
  first,
  fourth,
  log,
  paths,
  ports,
  publicationAnswering,
  second,
  setClock,
  start,
  steps,
  third,
} from './served-folder.ts';

eachOverItsOwnFolder();

describe('starting', () => {
  test('an empty data folder has no publication, and that is no failure', async () => {
    const publications = await start();
    expect(publications.active()).toBeNull();
    expect(log.lines).toEqual([]);
  });

  test('serves what the pointer names, with the time at which it was activated', async () => {
    activateOnDisk(first);
    const publications = await start();
    expect(publications.active()).toMatchObject({
      manifest: { id: first },
      activatedAt: '2026-10-05T12:00:00Z',
    });
    expect(await publicationAnswering(first)).toBe(first);
  });

  test('holds the publication before it too, so that cursors go on after a restart', async () => {
    for (const id of [first, second, third]) activateOnDisk(id);
    const publications = await start();
    expect(publications.held(second)?.manifest.id).toBe(second);
    expect(await publicationAnswering(second)).toBe(second);
    expect(publications.held(first)).toBeNull();
    expect(publications.previous().map(({ id }) => id)).toEqual([second]);
  });

  test.each([
    ['is truncated', () => truncateSync(paths.environment(second), 3), 'has 3 bytes, not the 11'],
    ['is missing', () => rmSync(paths.environment(second)), 'is missing'],
    ['has no manifest', () => rmSync(paths.manifest(second)), 'no sealed publication'],
    ['has a damaged manifest', () => writeFileSync(paths.manifest(second), '{"id":'), 'is damaged'],
    [
      'is of a newer format',
      () => sealPublication(paths, second, { formatVersion: 99 }),
      'has format 99, made by a newer version',
    ],
  ])(
    'where the active publication %s, the one before serves, with a warning',
    async (_what, damage, reason) => {
      activateOnDisk(first);
      activateOnDisk(second);
      const pointer = readPointer(paths);
      damage();
      const publications = await start();
      expect(publications.active()?.manifest.id).toBe(first);
      // Last-Modified must not go back though the data does.
      expect((publications.active()?.activatedAt ?? '') > (pointer?.activatedAt ?? '')).toBe(true);
      const warnings = log.lines.filter(({ level }) => level === 'warn');
      expect(JSON.stringify(warnings)).toContain(reason);
      expect(JSON.stringify(warnings)).toContain(first);
    },
  );

  test('one that was active before serves instead, rather than a newer one that never was', async () => {
    activateOnDisk(first);
    sealPublication(paths, fourth);
    activateOnDisk(second);
    truncateSync(paths.environment(second), 1);
    expect((await start()).active()?.manifest.id).toBe(first);
  });

  test('holds the publication before the one that serves instead, too', async () => {
    for (const id of [first, second, third]) activateOnDisk(id);
    truncateSync(paths.environment(third), 1);
    const publications = await start();
    expect(publications.active()?.manifest.id).toBe(second);
    expect(publications.previous().map(({ id }) => id)).toEqual([first]);
    expect(await publicationAnswering(first)).toBe(first);
  });

  test('where samples of the active publication can not be read, the one before serves', async () => {
    activateOnDisk(first);
    activateOnDisk(second);
    const publications = await start({ [second]: 'reading it ended a process (signal SIGSEGV)' });
    expect(publications.active()?.manifest.id).toBe(first);
    // The pointer stays for the operator, and is not tried again every second.
    const tried = steps.length;
    await publications.followPointer();
    expect(steps).toHaveLength(tried);
    expect(publications.active()?.manifest.id).toBe(first);
    expect(readPointer(paths)?.id).toBe(second);
  });

  test('what serves in the place of the active publication becomes it when it is activated', async () => {
    activateOnDisk(first);
    activateOnDisk(second);
    const publications = await start({ [second]: 'it is damaged' });
    expect(await publications.activate(first)).toBeNull();
    expect(readPointer(paths)?.id).toBe(first);
    expect(publications.active()?.manifest.id).toBe(first);
  });

  test('where the one before is the bundled sample, nothing serves: it is no data of the operator', async () => {
    activateOnDisk(first, true);
    activateOnDisk(second);
    expect((await start({ [second]: 'it is damaged' })).active()).toBeNull();
    expect(readPointer(paths)?.id).toBe(second);
  });

  test('where the pointer is corrupt and there is nothing but the bundled sample, it serves', async () => {
    activateOnDisk(first, true);
    writeFileSync(paths.pointer, '{"id":"../../etc"}');
    expect((await start()).active()?.manifest.id).toBe(first);
  });

  test('where the system can not read the manifest of the active publication, the one before serves', async () => {
    activateOnDisk(first);
    activateOnDisk(second);
    rmSync(paths.manifest(second));
    mkdirSync(paths.manifest(second));
    const publications = await start();
    expect(publications.active()?.manifest.id).toBe(first);
    expect(JSON.stringify(log.lines)).toContain(`${paths.manifest(second)} can't be read: EISDIR`);
  });

  test.each([
    ['missing', () => rmSync(paths.pointer)],
    ['corrupt', () => writeFileSync(paths.pointer, '{"id":"../../etc"}')],
  ])(
    'where the pointer is %s, the newest sound publication serves and the pointer is made anew',
    async (_what, damage) => {
      for (const id of [first, second, third]) activateOnDisk(id);
      truncateSync(paths.environment(third), 1);
      damage();
      const publications = await start();
      expect(publications.active()?.manifest.id).toBe(second);
      expect(readPointer(paths)?.id).toBe(second);
      expect(log.lines.some(({ level }) => level === 'warn')).toBe(true);
    },
  );

  test('where nothing is sound nothing is served, and every reason is logged', async () => {
    activateOnDisk(first);
    activateOnDisk(second);
    truncateSync(paths.environment(first), 1);
    truncateSync(paths.environment(second), 1);
    const publications = await start();
    expect(publications.active()).toBeNull();
    const text = JSON.stringify(log.lines);
    expect(text).toContain(paths.environment(first));
    expect(text).toContain(paths.environment(second));
  });
});

describe('swapping', () => {
  test('activates a sealed publication: every thread serves it, the one before goes on for cursors', async () => {
    activateOnDisk(first);
    const publications = await start();
    sealPublication(paths, second);
    setClock(new Date('2026-10-06T12:00:00Z'));
    expect(await publications.activate(second)).toBeNull();
    expect(publications.active()).toMatchObject({
      manifest: { id: second },
      activatedAt: '2026-10-06T12:00:00Z',
    });
    expect(readPointer(paths)?.id).toBe(second);
    expect(await publicationAnswering(second)).toBe(second);
    expect(publications.held(first)?.activatedAt).toBe('2026-10-05T12:00:00Z');
    expect(await publicationAnswering(first)).toBe(first);
  });

  test('brings a publication into memory before anybody reads rows of it, which a start does not wait for', async () => {
    activateOnDisk(first);
    const publications = await start();
    expect(steps).toEqual([`inspect ${first}`]);
    sealPublication(paths, second);
    await publications.activate(second);
    expect(steps.slice(1)).toEqual([`into memory ${second}`, `inspect ${second}`]);
    // Held for cursors, which may have asked for none of its rows.
    await publications.activate(first);
    expect(steps.slice(3)).toEqual([`into memory ${first}`]);
  });

  test('retires what is no longer kept: closed in every thread, then deleted', async () => {
    activateOnDisk(first);
    const publications = await start();
    for (const id of [second, third]) {
      sealPublication(paths, id);
      expect(await publications.activate(id)).toBeNull();
    }
    await publications.release([]);
    expect(publications.held(first)).toBeNull();
    expect(await publicationAnswering(first)).toBe('publication-gone');
    expect(existsSync(paths.publication(first))).toBe(false);
    expect(existsSync(paths.publication(second))).toBe(true);
  });

  test('tells of earlier publications those that are kept, once each, with their last activation', async () => {
    activateOnDisk(first);
    const publications = await start({}, 3);
    for (const id of [second, third, second, first, second, third]) {
      sealPublication(paths, id);
      setClock(new Date(clock.getTime() + 3_600_000));
      await publications.activate(id);
    }
    await publications.release([first]);
    expect(publications.previous()).toEqual([{ id: second, activatedAt: '2026-10-05T17:00:00Z' }]);
    expect(readPointer(paths)?.previous.map(({ id }) => id)).toEqual([
      second,
      first,
      second,
      third,
      second,
      first,
    ]);
  });

  test('tells nothing of itself as the one before, after going back to it', async () => {
    activateOnDisk(first);
    const publications = await start();
    sealPublication(paths, second);
    await publications.activate(second);
    await publications.activate(first);
    expect(publications.previous().map(({ id }) => id)).toEqual([second]);
  });

  test('LEI_KEEP_PUBLICATIONS keeps that many open and on disk', async () => {
    activateOnDisk(first);
    const publications = await start({}, 3);
    for (const id of [second, third]) {
      sealPublication(paths, id);
      await publications.activate(id);
    }
    await publications.release([]);
    expect(await publicationAnswering(first)).toBe(first);
    expect(existsSync(paths.publication(first))).toBe(true);
  });

  test('a publication that was never active is not deleted: it may be waiting for its activation', async () => {
    activateOnDisk(first);
    const publications = await start();
    for (const id of [second, third, fourth]) sealPublication(paths, id);
    await publications.activate(third);
    await publications.activate(fourth);
    await publications.release([]);
    expect(existsSync(paths.publication(second))).toBe(true);
    expect(existsSync(paths.publication(first))).toBe(false);
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
      damage: () => truncateSync(paths.environment(second), 2),
    },
    {
      what: 'is of a newer format',
      id: second,
      code: 'newer-format',
      damage: () => void sealPublication(paths, second, { formatVersion: 99 }),
    },
    { what: 'fails its inspection', id: second, code: 'open-failed', unsound: { [second]: 'no' } },
    {
      what: 'can not be opened by a thread',
      id: `${second}bad`,
      code: 'open-failed',
      damage: () => void sealPublication(paths, `${second}bad`),
    },
  ];
  for (const { what, id, code, damage, unsound } of unfit) {
    test(`a publication that ${what} changes nothing, and the status says why`, async () => {
      activateOnDisk(first);
      const publications = await start(unsound);
      const before = readFileSync(paths.pointer, 'utf8');
      sealPublication(paths, second);
      damage?.();
      const failure = await publications.activate(id);
      expect(failure?.code).toBe(code);
      expect(publications.active()?.manifest.id).toBe(first);
      expect(readFileSync(paths.pointer, 'utf8')).toBe(before);
      expect(publications.lastFailure()).toMatchObject({ phase: 'activate', message: failure?.message });
      expect(await publicationAnswering(first)).toBe(first);
      expect(await publicationAnswering(id)).toBe('publication-gone');
    });
  }

  test('where the pointer can not be moved nothing changes', async () => {
    activateOnDisk(first);
    const publications = await start();
    rmSync(paths.pointer);
    mkdirSync(paths.pointer);
    sealPublication(paths, second);
    expect(await publications.activate(second)).toMatchObject({ code: 'pointer-failed' });
    expect(publications.active()?.manifest.id).toBe(first);
    expect(await publicationAnswering(first)).toBe(first);
    expect(await publicationAnswering(second)).toBe('publication-gone');
  });

  test('where it can not be moved back, the publication before goes on for cursors', async () => {
    activateOnDisk(first);
    activateOnDisk(second);
    const publications = await start();
    rmSync(paths.pointer);
    mkdirSync(paths.pointer);
    expect(await publications.activate(first)).toMatchObject({ code: 'pointer-failed' });
    expect(await publicationAnswering(first)).toBe(first);
  });

  test('a success clears the failure before it', async () => {
    activateOnDisk(first);
    const publications = await start();
    await publications.activate(third);
    expect(publications.lastFailure()).not.toBeNull();
    sealPublication(paths, second);
    await publications.activate(second);
    expect(publications.lastFailure()).toBeNull();
  });

  test('a thread that dies in the middle of a swap is replaced, and the swap goes on', async () => {
    activateOnDisk(first);
    const publications = await start();
    const deadly = `${second}deadly`;
    sealPublication(paths, deadly);
    expect(await publications.activate(deadly)).toBeNull();
    expect(ports).toHaveLength(3);
    expect(await publicationAnswering(deadly)).toBe(deadly);
  });

  test('swaps asked for at once come one after the other, and the last one stays', async () => {
    activateOnDisk(first);
    const publications = await start();
    for (const id of [second, third, fourth]) sealPublication(paths, id);
    const failures = await Promise.all([second, third, fourth].map((id) => publications.activate(id)));
    expect(failures).toEqual([null, null, null]);
    expect(publications.active()?.manifest.id).toBe(fourth);
    expect(readPointer(paths)?.previous.map(({ id }) => id)).toEqual([third, second, first]);
  });

  test('going back to the publication before moves Last-Modified forward', async () => {
    activateOnDisk(first);
    const publications = await start();
    sealPublication(paths, second);
    await publications.activate(second);
    const activatedAt = publications.active()?.activatedAt ?? '';
    expect(await publications.activate(first)).toBeNull();
    expect(publications.active()?.manifest.id).toBe(first);
    expect((publications.active()?.activatedAt ?? '') > activatedAt).toBe(true);
  });

  test('activating what is active is a success and changes nothing', async () => {
    activateOnDisk(first);
    const publications = await start();
    const before = readFileSync(paths.pointer, 'utf8');
    expect(await publications.activate(first)).toBeNull();
    expect(readFileSync(paths.pointer, 'utf8')).toBe(before);
  });

  test('questions go on being answered, each from one publication, while swaps run', async () => {
    activateOnDisk(first);
    const publications = await start();
    for (const id of [second, third, fourth]) sealPublication(paths, id);
    let swapping = true;
    const wrong: string[] = [];
    let asked = 0;
    const asking = (async () => {
      while (swapping) {
        const id = publications.active()?.manifest.id ?? '';
        const answers = await Promise.all(Array.from({ length: 20 }, () => publicationAnswering(id)));
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
