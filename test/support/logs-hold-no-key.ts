/** The logs of services that tests start, and what must not be in them: a key. */

/** A key, or what a reader could make one of: the brand and most of the random characters. */
const key = /lei_live_[A-Za-z0-9]{20,}/;

/** The lines of a log that hold a key. */
export function linesWithKeys(log: string): readonly string[] {
  return log.split('\n').filter((line) => line.search(key) >= 0);
}

const logs: (() => string)[] = [];

/** @param read the whole log, asked for after the last test of the file */
export function watchForKeys(read: () => string): void {
  logs.push(read);
}

/** The lines with keys in all logs since the last time. */
export function foundKeys(): readonly string[] {
  return logs.splice(0).flatMap((read) => linesWithKeys(read()));
}
