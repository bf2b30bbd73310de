/** Damage that is found while a publication is served: what serves instead, and what remains after a restart. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readPointer } from '../../../src/publication/pointer.ts';
import { forgetDamage, readManifest } from '../../../src/publication/sealed.ts';
import { sealPublication } from './sealed-folder.ts';
import { endIdleThreads, first, ServedFolder, second, third } from './served-folder.ts';

const message = 'data.mdb is damaged: its digest is not the sealed one.';
const contained = { message, isContained: true };
const anywhere = { message, isContained: false };

let served: ServedFolder;
beforeEach(async () => {
  served = await ServedFolder.make();
});
afterEach(() => served.close());
afterAll(endIdleThreads);

describe('a publication that is found damaged while it is served', () => {
  test.each([contained, anywhere])('gives way to the previous one, and stays away: %o', async (damage) => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    await publications.foundDamaged(second, damage);
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(publications.serving.held(second)).toBeNull();
    expect(await served.publicationAnswering(second)).toBe('publication-gone');
    expect(publications.damagedCount()).toBe(1);
    expect(publications.serving.lastFailure()).toMatchObject({ phase: 'verify', message });
    // The pointer still names it: an operator may repair it.
    expect(readPointer(served.paths)?.id).toBe(second);
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(first);
    await publications.stop();
    const restarted = await served.start();
    expect(restarted.serving.active()?.manifest.id).toBe(first);
    expect(readManifest(served.paths, second)).toEqual({
      outcome: 'damaged',
      message: `${message} lei verify ${second} checks it again.`,
    });
  });

  test('shows a later time of modification although the data is older', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    const before = publications.serving.active()?.activatedAt ?? '';
    await publications.foundDamaged(second, anywhere);
    expect((publications.serving.active()?.activatedAt ?? '') > before).toBe(true);
  });

  test('stays if no other can be served and each read of the damaged file is checked', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.foundDamaged(first, contained);
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(publications.serving.held(first)).not.toBeNull();
    expect(await served.publicationAnswering(first)).toBe(first);
    expect(readManifest(served.paths, first).outcome).toBe('sound');
    expect(publications.damagedCount()).toBe(1);
  });

  test('leaves nothing to serve if no other can be served and any answer may be wrong', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.foundDamaged(first, anywhere);
    expect(publications.serving.active()).toBeNull();
    expect(await served.publicationAnswering(first)).toBe('publication-gone');
    sealPublication(served.paths, second);
    expect(await publications.activate(second)).toBeNull();
    expect(publications.serving.active()?.manifest.id).toBe(second);
  });

  test('is closed if it is an earlier one, which cursors read', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    expect(await served.publicationAnswering(first)).toBe(first);
    await publications.foundDamaged(first, anywhere);
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(await served.publicationAnswering(first)).toBe('publication-gone');
  });

  test('is replaced by none that was found damaged too, even if the disk takes no note', async () => {
    for (const id of [first, second, third]) served.activateOnDisk(id);
    const publications = await served.start({}, 3);
    for (const id of [second, third]) {
      // A folder in the place of the note.
      await Bun.write(`${served.paths.damage(id)}/in-the-way`, '');
      await publications.foundDamaged(id, anywhere);
    }
    expect(publications.serving.active()?.manifest.id).toBe(first);
    expect(served.log.lines).toContainEqual(
      expect.objectContaining({
        message: 'The damage could not be noted on the disk.',
        fields: expect.objectContaining({ publication: second }),
      }),
    );
  });

  test('ends no service on a disk that cannot be read either', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    rmSync(served.paths.publications, { recursive: true });
    symlinkSync(served.paths.publications, served.paths.publications);
    await publications.foundDamaged(first, anywhere);
    expect(publications.serving.active()).toBeNull();
    expect(served.log.lines).toContainEqual(
      expect.objectContaining({ message: 'The damaged publication could not be taken out of service.' }),
    );
  });

  test('is reported once', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    await Promise.all([1, 2, 3].map(() => publications.foundDamaged(second, contained)));
    const reports = served.log.lines.filter((line) => line.message === 'A publication is damaged.');
    expect(reports).toHaveLength(1);
  });

  test('is served again once it is fetched anew or found sound, and the node is told to', async () => {
    served.activateOnDisk(first);
    served.activateOnDisk(second);
    const publications = await served.start();
    await publications.foundDamaged(second, anywhere);
    expect(await publications.activate(second)).toMatchObject({ code: 'damaged' });
    await forgetDamage(served.paths, second);
    const pointer = readPointer(served.paths);
    expect(await publications.makeReady(second, pointer?.activatedAt ?? '')).toBeNull();
    await publications.followPointer();
    expect(publications.serving.active()?.manifest.id).toBe(second);
    expect(publications.damagedCount()).toBe(0);
  });
});

describe('the number of damaged publications, which the alert LeiDamaged watches', () => {
  test('counts none that was deleted after another took its place', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.foundDamaged(first, contained);
    sealPublication(served.paths, second);
    expect(await publications.activate(second)).toBeNull();
    expect(publications.damagedCount()).toBe(1);
    rmSync(served.paths.publication(first), { recursive: true });
    expect(publications.damagedCount()).toBe(0);
  });

  test('counts none that is active and activated once more, until damage is found again', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    await publications.foundDamaged(first, contained);
    expect(await publications.activate(first)).toBeNull();
    expect(publications.damagedCount()).toBe(0);
    await publications.foundDamaged(first, contained);
    expect(publications.damagedCount()).toBe(1);
  });

  test('counts one whose disk cannot be read', async () => {
    served.activateOnDisk(first);
    const publications = await served.start();
    rmSync(served.paths.publications, { recursive: true });
    symlinkSync(served.paths.publications, served.paths.publications);
    await publications.foundDamaged(first, anywhere);
    expect(publications.damagedCount()).toBe(1);
  });
});

test('a note of damage that cannot be read counts as damage', () => {
  sealPublication(served.paths, first);
  writeFileSync(served.paths.damage(first), `${message}\n`);
  expect(readFileSync(served.paths.damage(first), 'utf8')).toContain('data.mdb');
  expect(readManifest(served.paths, first).outcome).toBe('damaged');
});
