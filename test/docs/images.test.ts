/** Tests the pictures of the pages in the README. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { journeys } from '../screenshots/journeys.ts';
import { readText, root } from '../support/source-tree.ts';

const folder = 'docs/images';

test('are the ones that `bun run screenshots` makes, each of at most 150 kB', () => {
  const shown = Array.from(
    readText('README.md').matchAll(/\((docs\/images\/[^)]+)\)/g),
    ([, path]) => path ?? '',
  );
  const made = journeys
    .filter(({ inReadme }) => inReadme.length > 0)
    .map(({ name }) => `${folder}/${name}.png`);
  expect(shown.toSorted()).toEqual(made.toSorted());
  expect(
    readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}`)
      .sort(),
  ).toEqual(made.toSorted());
  for (const path of shown) {
    const picture = readFileSync(join(root, path));
    expect([path, picture.subarray(1, 4).toString()]).toEqual([path, 'PNG']);
    expect([path, picture.length < 150_000]).toEqual([path, true]);
  }
});
