/** Defines expected failures, and inspects errors of any kind: a caught value is `unknown`. */

/**
 * An expected outcome, shown to its reader unchanged: `code` for machines, `message` for people. Any other error is a
 * bug or comes from the system.
 */
export class ExpectedFailure<Code extends string = string> extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** Bytes of a sealed file are not those that were written. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  readonly path: string;
  /** @param what is wrong, as a clause */
  constructor(path: string, what: string) {
    super(`${path} is damaged: ${what}.`);
    this.path = path;
  }
}

/** The message of an error, of several that are thrown as one; of any other thrown value, its text. */
export function reasonOf(error: unknown): string {
  if (error instanceof SuppressedError) return `${reasonOf(error.suppressed)}; ${reasonOf(error.error)}`;
  return error instanceof Error ? error.message.replace(adviceForProgrammers, '') : String(error);
}

/** Bun adds it to the message about a connection that was closed. */
const adviceForProgrammers =
  / For more information, pass `verbose: true` in the second argument to fetch\(\)\.?$/;

/** The same for the end of a sentence: without a mark of its own. */
export function clauseOf(error: unknown): string {
  return reasonOf(error).replace(/[.?]$/, '');
}

/** The stack trace of an error, for the log of a bug. */
export function placeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The code of an error, such as `ENOSPC`; '' if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** Whether the disk, or this user's quota of it, is full. */
export function isWithoutRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

/** Adds the path to an error of the system that lacks it, as errors of writes do. Returns any other error as it is. */
export function atPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  if ('path' in error && error.path !== undefined) return error;
  const withPath = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(withPath, { code: errorCode(error), syscall: error.syscall, path });
}
