import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textChunks } from '../../src/generate/files/text-chunks.ts';
import { writeZip } from '../../src/generate/files/zip-writer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { readFirstMember } from '../support/zip-member.ts';

const folder = temporaryFolder('zip');

const time = Date.UTC(2026, 9, 4, 16) / 1000;

function* lines(count: number): Generator<string> {
  for (let line = 0; line < count; line++) yield `${line}, ${'ж'.repeat(line % 90)}\n`;
}

for (const large of [false, true]) {
  test(`an archive ${large ? 'with Zip64 sizes' : 'of a small member'} is read by a reader that is not ours`, async () => {
    const path = join(folder, `${large}.zip`);
    const result = await writeZip(path, { name: 'rows.csv', time, large }, textChunks(lines(20_000)));
    const text = await readFirstMember(path);
    expect(text).toBe([...lines(20_000)].join(''));
    expect(result.bytes).toBe(Buffer.byteLength(text));
    expect(result.packedBytes).toBe((await readFile(path)).length);
  });
}

test('an archive of an empty member is sound', async () => {
  const path = join(folder, 'empty.zip');
  await writeZip(path, { name: 'empty.csv', time, large: false }, []);
  expect(await readFirstMember(path)).toBe('');
});

test('the bytes of an archive depend on its content and the time given, not on the clock', async () => {
  const [first, second] = [join(folder, 'first.zip'), join(folder, 'second.zip')];
  for (const path of [first, second]) {
    await writeZip(path, { name: 'rows.csv', time, large: false }, textChunks(lines(500)));
  }
  expect(await readFile(first)).toEqual(await readFile(second));
});
