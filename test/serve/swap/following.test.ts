import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readPointer } from '../../../src/publication/pointer.ts';
import type { ServicePublications } from '../../../src/serve/swap/publications.ts';
import { sealPublication } from './sealed-folder.ts';
import { endIdleThreads, first, ServedFolder, second, third } from './served-folder.ts';

let served: ServedFolder;
beforeEach(async () => {
  served = await ServedFolder.make();
});
afterEach(() => served.close());
afterAll(endIdleThreads);

/** A command moves the pointer to the second publication, and the service serves it from then on. */
async function followsToSecond(publications: ServicePublications): Promise<void> {
  served.clock = new Date('2026-10-07T08:00:00Z');
  served.activateOnDisk(second);
  await publications.followPointer();
  expect(publications.serving.active()).toMatchObject({
    manifest: { id: second },
    activatedAt: '2026-10-07T08:00:00Z',
  });
}

describe('following the pointer', () => {
  test('a pointer that a command has moved is followed even without the control socket', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await followsToSecond(publications);
  });

  test('publications that are then no longer kept are closed and deleted', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    for (const id of [second, third]) {
      served.activateOnDisk(id);
      await publications.followPointer();
    }
    // Its turn comes after all earlier jobs.
    await publications.release([]);
    expect(await served.publicationAnswering(first)).toBe('publication-gone');
    expect(existsSync(served.paths.publication(first))).toBe(false);
  });

  test('a second activation of the active publication moves Last-Modified forward', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    served.clock = new Date('2026-10-07T08:00:00Z');
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    await publications.followPointer();
    expect(publications.serving.active()?.activatedAt).toBe('2026-10-07T08:00:01Z');
    expect(publications.serving.previous()).toEqual([{ id: first, activatedAt: '2026-10-07T08:00:00Z' }]);
  });

  test('a service that is told to activate the pointer’s publication leaves the pointer as it is', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    served.clock = new Date('2026-10-07T08:00:00Z');
    served.activateOnDisk(second);
    const pointer = readPointer(served.paths);
    served.clock = new Date('2026-10-07T09:00:00Z');
    expect(await publications.activate(second)).toBeNull();
    expect(readPointer(served.paths)).toEqual(pointer);
    expect(publications.serving.active()?.activatedAt).toBe('2026-10-07T08:00:00Z');
  });

  test('a service that waits for its first publication notices it', async () => {
    const publications = await served.start();
    served.activateOnDisk(first);
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(first);
  });

  test('a pointer to a publication that cannot be served is tried once, and the status says why', async () => {
    served.activateOnDisk(first);
    const publications = await served.start({ [second]: 'damaged' });
    served.activateOnDisk(second);
    await publications.followPointer();
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(served.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(publications.serving.lastFailure()?.message).toContain('damaged');
  });

  test('a publication that could not be served is tried again when it is activated again', async () => {
    served.activateOnDisk(first);
    const unsound: Record<string, string> = { [second]: 'damaged' };
    const publications = await served.start(unsound);
    served.activateOnDisk(second);
    await publications.followPointer();
    delete unsound[second];
    await followsToSecond(publications);
  });

  test('a pointer that is damaged while the service runs changes nothing', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    writeFileSync(served.paths.pointer, 'rubbish');
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    sealPublication(served.paths, third);
    expect(await publications.activate(third)).toBeNull();
    expect(readPointer(served.paths)).toMatchObject({ id: third, previous: [{ id: second }, { id: first }] });
  });
});

describe('releasing', () => {
  test('closes the named publications, but never the active one', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    expect(await publications.release([first, second])).toEqual([first]);
    expect(publications.serving.held(first)).toBeNull();
    expect(await served.publicationAnswering(first)).toBe('publication-gone');
    expect(await served.publicationAnswering(second)).toBe(second);
  });
});

describe('giving up publications', () => {
  test('closes only earlier ones whose files are gone, never the active one', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    expect(publications.giveUp(first)).toBe(false);
    for (const id of [first, second]) rmSync(served.paths.manifest(id));
    expect([publications.giveUp(first), publications.giveUp(second)]).toEqual([true, false]);
    expect(publications.serving.held(first)).toBeNull();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(publications.serving.held(second)).not.toBeNull();
  });
});

describe('stopping', () => {
  test('refuses later swaps', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.stop();
    expect(publications.serving.answering).toBe('shutting-down');
    expect(await publications.activate(second)).toMatchObject({ code: 'shutting-down' });
    served.activateOnDisk(second);
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(first);
  });

  test('waits for the current swap and for the deletions after it', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    sealPublication(served.paths, third);
    const swap = publications.activate(third);
    await publications.stop();
    expect(publications.serving.active()?.manifest.id).toBe(third);
    expect(existsSync(served.paths.publication(first))).toBe(false);
    expect(await swap).toBeNull();
  });
});
