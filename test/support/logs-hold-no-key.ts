/** Checks that the logs of services that tests start contain no key. */

/** A key, or enough of one for a reader to restore it: the prefix and most of the random characters. */
const key = /lei_live_[A-Za-z0-9]{20,}/;

/** The lines of a log that contain a key. */
export function linesWithKeys(log: string): readonly string[] {
  return log.split('\n').filter((line) => line.search(key) >= 0);
}

const logs: (() => string)[] = [];

/** @param read returns the whole log, called after the last test of the file */
export function watchForKeys(read: () => string): void {
  logs.push(read);
}

/** The lines with keys in all logs since the last time. */
export function foundKeys(): readonly string[] {
  return logs.splice(0).flatMap((read) => linesWithKeys(read()));
}
