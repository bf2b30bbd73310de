import { afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { MappedFile } from '../../src/system/mapped-file.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isHeld } from '../support/held-files.ts';

const path = join(temporaryFolder('mapped'), 'file');
const opened: MappedFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
});

function map(content: Uint8Array, pattern: 'scattered' | 'through' = 'through'): MappedFile {
  writeFileSync(path, content);
  const file = new MappedFile(path, pattern);
  opened.push(file);
  return file;
}

describe('a mapped file', () => {
  test('returns the bytes at any offset', () => {
    const content = fc.uint8Array({ minLength: 4, maxLength: 20_000, size: 'max' });
    fc.assert(
      fc.property(
        content,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('scattered', 'through'),
        (bytes, at, count, pattern) => {
          const file = map(bytes, pattern);
          const offset = at % (bytes.length - 3);
          expect(file.length).toBe(bytes.length);
          expect(file.uint32At(offset)).toBe(Buffer.from(bytes).readUInt32LE(offset));
          const length = count % (bytes.length - offset + 1);
          const target = Buffer.alloc(length + 3, 0xee);
          file.copy(offset, length, target);
          expect(target.subarray(0, length)).toEqual(Buffer.from(bytes.subarray(offset, offset + length)));
          expect(target.subarray(length)).toEqual(Buffer.alloc(3, 0xee));
        },
      ),
    );
  });

  test('refuses to read outside of the file, which would make the kernel end the process', () => {
    const file = map(Buffer.alloc(10));
    const outside = (offset: number, end: number) =>
      new RangeError(`${path} is damaged or closed: bytes ${offset} to ${end} of 10 were asked for.`);
    expect(() => file.uint32At(7)).toThrow(outside(7, 11));
    expect(() => file.uint32At(-1)).toThrow(outside(-1, 3));
    expect(() => file.copy(4, 7, Buffer.alloc(100))).toThrow(outside(4, 11));
    expect(() => file.copy(0, 5, Buffer.alloc(4))).toThrow('5 bytes do not fit into 4');
    expect(file.uint32At(6)).toBe(0);
  });

  test('refuses to read once it is closed; closing twice is allowed', () => {
    const file = map(Buffer.alloc(10));
    file.close();
    file.close();
    expect(() => file.uint32At(0)).toThrow('damaged or closed');
  });

  test("may be empty; a missing file gives the system's error", () => {
    const file = map(Buffer.alloc(0));
    expect(file.length).toBe(0);
    expect(() => file.uint32At(0)).toThrow('bytes 0 to 4 of 0');
    expect(() => new MappedFile(`${path}-none`, 'through')).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
  });

  test('fails with a message if the system cannot map it', () => {
    const folder = temporaryFolder('mapped');
    expect(() => new MappedFile(folder, 'through')).toThrow(
      `${folder} can't be mapped into memory on this system.`,
    );
  });
});

describe('a mapping', () => {
  const isMapped = () => isHeld(path);

  test('ends when it is closed; until then a deleted file occupies the disk', () => {
    const file = map(Buffer.alloc(10));
    expect(isMapped()).toBe(true);
    file.close();
    expect(isMapped()).toBe(false);
  });

  test('leaves later mappings at the same addresses alone once it is closed', () => {
    const closed = Array.from({ length: 20 }, () => map(Buffer.alloc(10_000, 1)));
    for (const file of closed.splice(0)) file.close();
    opened.splice(0);
    const others = Array.from({ length: 20 }, () => map(Buffer.alloc(10_000, 2)));
    Bun.gc(true);
    expect(others.map((file) => file.uint32At(9000))).toEqual(others.map(() => 0x02020202));
  });

  test.each(['fail', 'hang'])('ends with its thread, which comes to %s', async (how) => {
    writeFileSync(path, Buffer.alloc(100_000));
    const thread = new Worker(new URL('mapping-thread.ts', import.meta.url).href);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: mapped, resolve: tell } = Promise.withResolvers<void>();
    thread.onerror = (event) => event.preventDefault();
    thread.onmessage = () => tell();
    thread.addEventListener('close', () => end());
    thread.postMessage(path);
    await mapped;
    expect(isMapped()).toBe(true);
    thread.postMessage(how);
    if (how === 'hang') thread.terminate();
    await ended;
    while (isMapped()) await Bun.sleep(10);
  });
});
