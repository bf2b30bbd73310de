import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openPromise } from 'yauzl';
import { textChunks, writeZip } from '../../src/generate/files/zip-writer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { readFirstMember } from '../support/zip-member.ts';

const folder = temporaryFolder('zip');

const time = Date.UTC(2026, 9, 4, 16) / 1000;

function* lines(count: number): Generator<string> {
  for (let line = 0; line < count; line++) yield `${line}, ${'ж'.repeat(line % 90)}\n`;
}

async function entryOf(path: string) {
  const archive = await openPromise(path);
  for await (const entry of archive.eachEntry()) return entry;
  throw new Error(`${path} holds no member`);
}

for (const large of [false, true]) {
  test(`yauzl reads an archive ${large ? 'with Zip64 sizes' : 'of a small member'} and its checksum`, async () => {
    const path = join(folder, `${large}.zip`);
    const bytes = await writeZip(path, { name: 'rows.csv', time, large }, textChunks(lines(20_000)));
    const text = [...lines(20_000)].join('');
    expect(await readFirstMember(path)).toBe(text);
    expect(bytes).toBe(statSync(path).size);
    expect(await entryOf(path)).toMatchObject({
      fileName: 'rows.csv',
      uncompressedSize: Buffer.byteLength(text),
      crc32: crc32(text),
    });
  });
}

test('an archive of an empty member is sound', async () => {
  const path = join(folder, 'empty.zip');
  await writeZip(path, { name: 'empty.csv', time, large: false }, []);
  expect(await readFirstMember(path)).toBe('');
});

test('the bytes of an archive depend neither on the clock nor on the machine’s time zone', async () => {
  const written = async (zone: string) => {
    const path = join(folder, `${zone.replace('/', '-')}.zip`);
    const program = `
      import { textChunks, writeZip } from '${import.meta.dir}/../../src/generate/files/zip-writer.ts';
      const lines = Array.from({ length: 500 }, (_, line) => line + '\\n');
      await writeZip('${path}', { name: 'rows.csv', time: ${time}, large: false }, textChunks(lines));`;
    spawnSync(process.execPath, ['-e', program], { env: { ...process.env, TZ: zone }, stdio: 'inherit' });
    return readFileSync(path);
  };
  const [east, west] = [await written('Pacific/Auckland'), await written('America/St_Johns')];
  expect(east).toEqual(west);
  expect((await entryOf(join(folder, 'Pacific-Auckland.zip'))).getLastModDate({ timezone: 'UTC' })).toEqual(
    new Date(time * 1000),
  );
});

test('an error while the content is written reaches the caller', async () => {
  function* failing(): Generator<Uint8Array> {
    yield Buffer.from('LEI,BIC\n');
    throw new RangeError('no such entity');
  }
  const writing = writeZip(join(folder, 'failing.zip'), { name: 'rows.csv', time, large: false }, failing());
  await expect(writing).rejects.toThrow(new RangeError('no such entity'));
});

test('a file that cannot be written gives the system’s error, with its path', async () => {
  const path = join(folder, 'nowhere', 'rows.zip');
  const chunks = textChunks(lines(20_000));
  const writing = writeZip(path, { name: 'rows.csv', time, large: false }, chunks);
  await expect(writing).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open', path });
  expect(existsSync(path)).toBe(false);
});
