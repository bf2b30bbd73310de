import { afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { MappedFile } from '../src/mapped-file.ts';
import { temporaryFolder } from './support/folders.ts';
import { isHeld } from './support/held-files.ts';

const path = join(temporaryFolder('mapped'), 'file');
const opened: MappedFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
});

function map(content: Uint8Array, scattered = false): MappedFile {
  writeFileSync(path, content);
  const file = new MappedFile(path, scattered);
  opened.push(file);
  return file;
}

describe('a mapped file', () => {
  test('gives the bytes of the file, wherever they lie', () => {
    const content = fc.uint8Array({ minLength: 4, maxLength: 20_000, size: 'max' });
    fc.assert(
      fc.property(content, fc.nat(), fc.nat(), fc.boolean(), (bytes, at, count, scattered) => {
        const file = map(bytes, scattered);
        const offset = at % (bytes.length - 3);
        expect(file.length).toBe(bytes.length);
        expect(file.uint32At(offset)).toBe(Buffer.from(bytes).readUInt32LE(offset));
        const length = count % (bytes.length - offset + 1);
        const target = Buffer.alloc(length + 3, 0xee);
        file.copy(offset, length, target);
        expect(target.subarray(0, length)).toEqual(Buffer.from(bytes.subarray(offset, offset + length)));
        expect(target.subarray(length)).toEqual(Buffer.alloc(3, 0xee));
      }),
    );
  });

  test('refuses what lies outside of it, as the kernel would end the process for it', () => {
    const file = map(Buffer.alloc(10));
    const outside = (offset: number, end: number) =>
      new RangeError(`${path} is damaged or closed: bytes ${offset} to ${end} of 10 were asked for.`);
    expect(() => file.uint32At(7)).toThrow(outside(7, 11));
    expect(() => file.uint32At(-1)).toThrow(outside(-1, 3));
    expect(() => file.copy(4, 7, Buffer.alloc(100))).toThrow(outside(4, 11));
    expect(() => file.copy(0, 5, Buffer.alloc(4))).toThrow('5 bytes do not fit into 4');
    expect(file.uint32At(6)).toBe(0);
  });

  test('shows nothing once it is closed, which may be said twice', () => {
    const file = map(Buffer.alloc(10));
    file.close();
    file.close();
    expect(() => file.uint32At(0)).toThrow('damaged or closed');
  });

  test('may be empty, and is missing where there is none', () => {
    const file = map(Buffer.alloc(0));
    expect(file.length).toBe(0);
    expect(() => file.uint32At(0)).toThrow('bytes 0 to 4 of 0');
    expect(() => new MappedFile(`${path}-none`, false)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test('says so where the system can not map it', () => {
    const folder = temporaryFolder('mapped');
    expect(() => new MappedFile(folder, false)).toThrow(
      `${folder} can't be mapped into memory on this system.`,
    );
  });
});

describe('what is mapped of a file', () => {
  const isMapped = () => isHeld(path);

  test('is let go of when it is closed, as a deleted file keeps its place on the disk until then', () => {
    const file = map(Buffer.alloc(10));
    expect(isMapped()).toBe(true);
    file.close();
    expect(isMapped()).toBe(false);
  });

  test('leaves the addresses alone that others were given since it was closed', () => {
    const closed = Array.from({ length: 20 }, () => map(Buffer.alloc(10_000, 1)));
    for (const file of closed.splice(0)) file.close();
    opened.splice(0);
    const others = Array.from({ length: 20 }, () => map(Buffer.alloc(10_000, 2)));
    Bun.gc(true);
    expect(others.map((file) => file.uint32At(9000))).toEqual(others.map(() => 0x02020202));
  });

  test.each(['fail', 'hang'])(
    'ends with the thread that mapped it, where that one comes to %s',
    async (how) => {
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
    },
  );
});
