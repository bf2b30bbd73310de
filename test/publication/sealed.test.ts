/** Tests the list of sealed publications of a data folder, which opens none of them. */
import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { readManifest, sealedIds } from '../../src/publication/sealed.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';

const id = '20261004T160000Z-00000001';
const other = '20261004T160000Z-00000002';

test("a manifest must name its folder's publication and the size of its environment", () => {
  const paths = layout(temporaryFolder('sealed'));
  for (const each of [id, other]) sealPublication(paths, each);
  expect(readManifest(paths, id)).toMatchObject({ outcome: 'sound', manifest: { id } });
  const environment = readFileSync(paths.environment(id));
  writeFileSync(paths.environment(id), Buffer.concat([environment, Buffer.from('x')]));
  expect(readManifest(paths, id)).toMatchObject({
    outcome: 'damaged',
    message: expect.stringContaining(
      `has ${environment.length + 1} bytes, not the ${environment.length} it was sealed with`,
    ),
  });
  writeFileSync(paths.environment(id), environment);
  writeFileSync(paths.manifest(id), readFileSync(paths.manifest(other)));
  expect(readManifest(paths, id)).toEqual({
    outcome: 'damaged',
    message: `${paths.manifest(id)} is damaged: it is not the manifest of ${id}.`,
  });
});

test('a manifest with a company file must name its size too', () => {
  const paths = layout(temporaryFolder('sealed'));
  const companies = { bytes: 9, sha256: '' };
  sealPublication(paths, id, { companies });
  const path = paths.companies(id);
  const damaged = (found: string) => ({
    outcome: 'damaged' as const,
    message: `Publication ${id} is damaged: ${path} ${found}.`,
  });
  expect(readManifest(paths, id)).toEqual(damaged('is missing'));
  writeFileSync(path, 'companies');
  expect(readManifest(paths, id)).toMatchObject({ outcome: 'sound', manifest: { companies } });
  writeFileSync(path, 'companie');
  expect(readManifest(paths, id)).toEqual(damaged('has 8 bytes, not the 9 it was sealed with'));
});

test('publications are listed by source time, newest first, then by time of sealing; other names are ignored', () => {
  const paths = layout(temporaryFolder('sealed'));
  const later = '20261005T160000Z-00000000';
  for (const [minutes, each] of [later, other, id].entries()) {
    sealPublication(paths, each);
    utimesSync(paths.manifest(each), minutes * 60, minutes * 60);
  }
  for (const name of ['try', `${id}-old`, `old-${id}`]) mkdirSync(paths.publication(name));
  expect(sealedIds(paths)).toEqual([later, id, other]);
});

test('a publication without permission to read it is listed, and reading it says why it fails', () => {
  const paths = layout(temporaryFolder('sealed'));
  const [closed, open] = ['20261005T160000Z-00000001', '20261004T160000Z-00000001'] as const;
  sealPublication(paths, open);
  // A link to itself is unreadable even for a user who may read everything.
  symlinkSync(paths.publication(closed), paths.publication(closed));
  expect(sealedIds(paths)).toEqual([closed, open]);
  expect(readManifest(paths, closed)).toMatchObject({
    outcome: 'damaged',
    message: expect.stringContaining(`${paths.manifest(closed)} can't be read: ELOOP`),
  });
});
