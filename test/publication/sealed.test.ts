import { expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { readManifest, sealedIds } from '../../src/publication/sealed.ts';
import { sealPublication } from '../front/publication/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';

test('a publication that may not be looked at is found as the others are, and says why it can not be read', () => {
  const paths = layout(temporaryFolder('sealed'));
  const [closed, open] = ['20261005T160000Z-00000001', '20261004T160000Z-00000001'] as const;
  sealPublication(paths, open);
  // A link to itself: also for a user who may read everything.
  symlinkSync(paths.publication(closed), paths.publication(closed));
  expect(sealedIds(paths)).toEqual([closed, open]);
  expect(readManifest(paths, closed)).toMatchObject({
    outcome: 'damaged',
    message: expect.stringContaining(`${paths.manifest(closed)} can't be read: ELOOP`),
  });
});
