import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readPointer } from '../../../src/publication/pointer.ts';
import { sealPublication } from './sealed-folder.ts';
import { endIdleThreads, first, fourth, ServedFolder, second, third } from './served-folder.ts';

let served: ServedFolder;
beforeEach(async () => {
  served = await ServedFolder.make();
});
afterEach(() => served.close());
afterAll(endIdleThreads);

describe('starting', () => {
  test('serves nothing from an empty data folder, without a failure', async () => {
    const publications = await served.start();
    expect(publications.serving.active()).toBeNull();
    expect(served.log.lines).toEqual([]);
  });

  test('serves the pointer’s publication, with the time of its activation', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    expect(publications.serving.active()).toMatchObject({
      manifest: { id: first },
      activatedAt: '2026-10-05T12:00:00Z',
    });
    expect(await served.publicationAnswering(first)).toBe(first);
  });

  test('also holds the previous publication, so that cursors continue after a restart', async () => {
    for (const id of [first, second, third]) served.activateOnDisk(id);
    const publications = await served.start();
    expect(publications.serving.held(second)?.manifest.id).toBe(second);
    expect(await served.publicationAnswering(second)).toBe(second);
    expect(publications.serving.held(first)).toBeNull();
    expect(publications.serving.previous().map(({ id }) => id)).toEqual([second]);
  });

  test.each([
    ['is truncated', () => truncateSync(served.paths.environment(second), 3), 'has 3 bytes, not the 11'],
    ['is missing', () => rmSync(served.paths.environment(second)), 'is missing'],
    ['has no manifest', () => rmSync(served.paths.manifest(second)), 'no sealed publication'],
    ['has a damaged manifest', () => writeFileSync(served.paths.manifest(second), '{"id":'), 'is damaged'],
    [
      'is of a newer format',
      () => sealPublication(served.paths, second, { formatVersion: 99 }),
      'has format 99, made by a newer version',
    ],
  ])(
    'serves the previous publication, with a warning, if the active one %s',
    async (_what, damage, reason) => {
      served.activateOnDisk(first);
      served.activateOnDisk(second);
      const pointer = readPointer(served.paths);
      damage();
      const publications = await served.start();
      expect(publications.serving.active()?.manifest.id).toBe(first);
      // Last-Modified must not go back although the data does.
      expect((publications.serving.active()?.activatedAt ?? '') > (pointer?.activatedAt ?? '')).toBe(true);
      const warnings = served.log.lines.filter(({ level }) => level === 'warn');
      expect(JSON.stringify(warnings)).toContain(reason);
      expect(JSON.stringify(warnings)).toContain(first);
    },
  );

  test('prefers a previously active publication to a newer one that was never active', async () => {
    served.activateOnDisk(first);
    sealPublication(served.paths, fourth);
    served.activateOnDisk(second);
    truncateSync(served.paths.environment(second), 1);
    expect((await served.start()).serving.active()?.manifest.id).toBe(first);
  });

  test('also holds the publication before the one that is served instead', async () => {
    for (const id of [first, second, third]) served.activateOnDisk(id);
    truncateSync(served.paths.environment(third), 1);
    const publications = await served.start();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(publications.serving.previous().map(({ id }) => id)).toEqual([first]);
    expect(await served.publicationAnswering(first)).toBe(first);
  });

  test('serves the active publication if the previous one is damaged, and warns that its cursors are lost', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    truncateSync(served.paths.environment(first), 1);
    const publications = await served.start();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(publications.serving.previous()).toEqual([]);
    expect(served.log.lines).toMatchObject([
      { level: 'warn', fields: { reason: expect.stringContaining(served.paths.environment(first)) } },
    ]);
    // lmdb would create a missing environment, or read beyond the end of this one.
    expect(served.steps).toEqual([`inspect ${second}`]);
  });

  test('holds a publication that alternated with the active one with the time of its latest activation', async () => {
    for (const id of [first, second, first, second]) {
      served.clock = new Date(served.clock.getTime() + 3_600_000);
      served.activateOnDisk(id);
    }
    const publications = await served.start();
    expect(publications.serving.held(first)?.activatedAt).toBe('2026-10-05T15:00:00Z');
    expect(publications.serving.held(second)?.activatedAt).toBe('2026-10-05T16:00:00Z');
  });

  test('serves the previous publication if samples of the active one cannot be read', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start({ [second]: 'reading it crashed a process (signal SIGSEGV)' });
    expect(publications.serving.active()?.manifest.id).toBe(first);
    // The pointer stays for the operator, and is not tried again every second.
    const tried = served.steps.length;
    await publications.followPointer();
    expect(served.steps).toHaveLength(tried);
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(readPointer(served.paths)?.id).toBe(second);
  });

  test('makes the publication that is served instead the active one once it is activated', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start({ [second]: 'it is damaged' });
    expect(await publications.activate(first)).toBeNull();
    expect(readPointer(served.paths)?.id).toBe(first);
    expect(publications.serving.active()?.manifest.id).toBe(first);
  });

  test('moves Last-Modified forward even if the pointer’s publication is repaired and activated', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const unsound: Record<string, string> = { [second]: 'it is damaged' };
    const publications = await served.start(unsound);
    const standIn = publications.serving.active();
    expect(standIn?.manifest.id).toBe(first);
    delete unsound[second];
    served.clock = new Date('2026-10-07T08:00:00Z');
    expect(await publications.activate(second)).toBeNull();
    expect(publications.serving.active()).toMatchObject({
      manifest: { id: second },
      activatedAt: '2026-10-07T08:00:00Z',
    });
  });

  test('lists the publication that was served instead as the previous one after the next swap, for cursors and a rollback', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start({ [second]: 'it is damaged' });
    sealPublication(served.paths, third);
    served.clock = new Date('2026-10-07T08:00:00Z');
    expect(await publications.activate(third)).toBeNull();
    await publications.release([]);
    expect(publications.serving.previous()).toEqual([{ id: first, activatedAt: '2026-10-05T12:00:02Z' }]);
    expect(await served.publicationAnswering(first)).toBe(first);
    expect(readPointer(served.paths)?.previous.map(({ id }) => id)).toEqual([first, second, first]);
  });

  test('serves nothing if the previous publication is the bundled sample, which is not the operator’s data', async () => {
    served.activateOnDisk(first, true);
    served.activateOnDisk(second);
    expect((await served.start({ [second]: 'it is damaged' })).serving.active()).toBeNull();
    expect(readPointer(served.paths)?.id).toBe(second);
  });

  test('serves the bundled sample if the pointer is corrupt and there is nothing else', async () => {
    served.activateOnDisk(first, true);
    writeFileSync(served.paths.pointer, '{"id":"../../etc"}');
    expect((await served.start()).serving.active()?.manifest.id).toBe(first);
    // Without a stack trace, which would make it look like a bug.
    expect(served.log.lines.find(({ level }) => level === 'warn')?.fields).toEqual({
      reason: `${served.paths.pointer} is damaged: it must name a publication and the time of its activation.`,
    });
  });

  test('serves the previous publication if the system cannot read the manifest of the active one', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    rmSync(served.paths.manifest(second));
    mkdirSync(served.paths.manifest(second));
    const publications = await served.start();
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(JSON.stringify(served.log.lines)).toContain(
      `${served.paths.manifest(second)} can't be read: EISDIR`,
    );
  });

  test.each([
    ['missing', () => rmSync(served.paths.pointer)],
    ['corrupt', () => writeFileSync(served.paths.pointer, '{"id":"../../etc"}')],
  ])('serves the newest sound publication and rewrites the pointer if that is %s', async (_what, damage) => {
    for (const id of [first, second, third]) served.activateOnDisk(id);
    truncateSync(served.paths.environment(third), 1);
    damage();
    const publications = await served.start();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(readPointer(served.paths)?.id).toBe(second);
    expect(served.log.lines.some(({ level }) => level === 'warn')).toBe(true);
  });

  test('serves nothing if no publication is sound, and logs every reason', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    truncateSync(served.paths.environment(first), 1);
    truncateSync(served.paths.environment(second), 1);
    const publications = await served.start();
    expect(publications.serving.active()).toBeNull();
    const text = JSON.stringify(served.log.lines);
    expect(text).toContain(served.paths.environment(first));
    expect(text).toContain(served.paths.environment(second));
  });
});
