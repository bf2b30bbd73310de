/** The contract that every {@link WritableStore} keeps. */
import { expect, test } from 'bun:test';
import type { WritableStore } from '../../src/shipping/object-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const name = 'objects/ab/one.zst';

/** @param make an empty store */
export function objectStoreContract(what: string, make: () => WritableStore): void {
  test(`${what} has no object before it is written, and all of it afterwards`, async () => {
    const store = make();
    expect(await store.read(name, 100)).toBeNull();
    await store.write(name, bytes('first'));
    await store.write(name, bytes('first'));
    expect((await store.read(name, 5))?.bytes).toEqual(bytes('first'));
  });

  test(`${what} refuses an object that is longer than expected`, async () => {
    const store = make();
    await store.write(name, bytes('too long'));
    expect(await store.read(name, 7).catch(String)).toContain('has 8 bytes, more than the 7 it may have');
  });

  test(`${what} lists the objects of a prefix with their sizes, and deletes them`, async () => {
    const store = make();
    expect([...(await store.list('objects/')).keys()]).toEqual([]);
    await store.write(name, bytes('first'));
    await store.write('publications/a.json', bytes('{}'));
    const [[listed, facts] = ['', null]] = [...(await store.list('objects/'))];
    expect([listed, facts?.bytes]).toEqual([name, 5]);
    expect(Math.abs((facts?.writtenAt ?? 0) - Date.now())).toBeLessThan(60_000);
    await store.remove(name);
    await store.remove(name);
    expect((await store.list('objects/')).size).toBe(0);
  });

  test(`${what} replaces an object only if it is still the one that the writer read`, async () => {
    const store = make();
    expect(await store.replace('fleet.json', bytes('1'), null)).toBe(true);
    expect(await store.replace('fleet.json', bytes('2'), null)).toBe(false);
    const read = await store.read('fleet.json', 100);
    expect(await store.replace('fleet.json', bytes('2'), read?.tag ?? '')).toBe(true);
    expect(await store.replace('fleet.json', bytes('3'), read?.tag ?? '')).toBe(false);
    expect((await store.read('fleet.json', 100))?.bytes).toEqual(bytes('2'));
  });
}
