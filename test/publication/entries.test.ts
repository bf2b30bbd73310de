/** Tests that names from other machines, and symbolic links, never lead out of the folder that they belong to. */
import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enterFolder, entryOf, makeFolder, removeEntry } from '../../src/publication/entries.ts';
import { layout } from '../../src/publication/layout.ts';
import { deletePublication, readManifest } from '../../src/publication/sealed.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';

const id = '20261004T160000Z-00000001';

/** A folder, and beside it one that nobody may touch. */
function makeFolders() {
  const top = temporaryFolder('entries');
  const [folder, elsewhere] = [join(top, 'folder'), join(top, 'elsewhere')];
  for (const each of [folder, elsewhere]) mkdirSync(each);
  writeFileSync(join(elsewhere, 'manifest.json'), 'mine');
  return { folder, elsewhere };
}

test('only the name of one entry is taken for a name', async () => {
  const { folder, elsewhere } = makeFolders();
  for (const name of [
    '',
    '.',
    '..',
    '../elsewhere',
    '/etc',
    'a/b',
    'a\\b',
    'a\0b',
    `${id}/../../elsewhere`,
  ]) {
    expect(() => entryOf(folder, name)).toThrow("can't be the name of anything in");
    expect(await removeEntry(folder, name).catch(String)).toContain("can't be the name");
    expect(await makeFolder(folder, name).catch(String)).toContain("can't be the name");
  }
  expect(entryOf(folder, '..a')).toBe(join(folder, '..a'));
  expect(readdirSync(elsewhere)).toEqual(['manifest.json']);
});

test('of a symbolic link only the link is removed, and none is entered', async () => {
  const { folder, elsewhere } = makeFolders();
  const link = join(folder, 'link');
  symlinkSync(elsewhere, link);
  const refused = `${link} must be a folder, and not a symbolic link`;
  expect(await makeFolder(folder, 'link').catch(String)).toContain(refused);
  expect(await enterFolder(folder, 'link').catch(String)).toContain(refused);
  await removeEntry(folder, 'link', 'manifest.json');
  expect(existsSync(link)).toBe(false);
  expect(readdirSync(elsewhere)).toEqual(['manifest.json']);
});

test('an id that is a path names no publication, and deletes nothing', async () => {
  const { folder, elsewhere } = makeFolders();
  const paths = layout(folder);
  mkdirSync(paths.publications);
  for (const name of ['../../elsewhere', '..', 'nonsense']) {
    expect(readManifest(paths, name)).toEqual({
      outcome: 'missing',
      message: `There is no sealed publication ${name}: the id of a publication looks like 20261004T160000Z-3f9a1c2b.`,
    });
  }
  for (const name of ['../../elsewhere', '..'])
    expect(await deletePublication(paths, name).catch(String)).toContain("can't be the name");
  expect(() => paths.incoming('../elsewhere')).toThrow("can't be the name");
  expect(() => paths.staged('../elsewhere')).toThrow("can't be the name");
  symlinkSync(elsewhere, paths.publication(id));
  await deletePublication(paths, id);
  expect(readdirSync(paths.publications)).toEqual([]);
  expect(readdirSync(elsewhere)).toEqual(['manifest.json']);
  sealPublication(paths, id);
  await deletePublication(paths, id);
  expect(readdirSync(paths.publications)).toEqual([]);
});
