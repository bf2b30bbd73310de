/**
 * Looks through the logs of every service that a test starts: none of them may hold a key. bunfig.toml preloads this
 * file, so that it looks after the tests of every file.
 */
import { afterAll, expect } from 'bun:test';

/** A key, or what a reader could make one of: the brand and most of the random characters. */
const key = /lei_live_[A-Za-z0-9]{20,}/;

/** The lines of a log that hold a key. */
export function linesWithKeys(log: string): readonly string[] {
  return log.split('\n').filter((line) => line.search(key) >= 0);
}

const logs: (() => string)[] = [];

afterAll(() => {
  expect(logs.splice(0).flatMap((read) => linesWithKeys(read()))).toEqual([]);
});

/** @param read the whole log, asked for after the last test of the file */
export function watchForKeys(read: () => string): void {
  logs.push(read);
}
