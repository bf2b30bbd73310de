/** Tests when the bundled sample may be loaded: never in place of an operator's own data. */
import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { hasOwnPublication } from '../../src/publication/own-data.ts';
import { movePointer } from '../../src/publication/pointer.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';

const id = '20261004T160000Z-00000001';
const sampleId = '20260123T080000Z-00000002';
const now = new Date('2026-10-04T16:00:00Z');

type Step = (paths: Layout) => void;

function folderAfter(steps: readonly Step[]): Layout {
  const paths = layout(temporaryFolder('own'));
  for (const step of steps) step(paths);
  return paths;
}

const sample: Step = (paths) => void sealPublication(paths, sampleId, { sample: true });
const own: Step = (paths) => void sealPublication(paths, id);
const activated: Step = (paths) => void movePointer(paths, id, now, null);
const damagedPointer: Step = (paths) => writeFileSync(paths.pointer, '{');

test.each<[string, Step[]]>([
  ['one of its own', [sample, own]],
  ['one of its own that is damaged', [own, (paths) => writeFileSync(paths.environment(id), 'cut')]],
  ['a pointer to one of its own that was moved away', [sample, activated]],
  ['a pointer that is damaged, and nothing else', [damagedPointer]],
])('a folder with %s has or has had the operator’s own data', (_what, steps) => {
  expect(hasOwnPublication(folderAfter(steps))).toBe(true);
});

test.each<[string, Step[]]>([
  ['nothing', []],
  ['the sample', [sample, (paths) => void movePointer(paths, sampleId, now, null)]],
  ['the sample and a pointer that is damaged', [sample, damagedPointer]],
  ['the sample and the rest of a deleted publication', [sample, own, (paths) => rmSync(paths.manifest(id))]],
])('a folder with %s has never had any', (_what, steps) => {
  expect(hasOwnPublication(folderAfter(steps))).toBe(false);
});
