/** Errors: those that are expected, and what is asked of one, which may be anything: it arrives as `unknown`. */

/**
 * An end that was to be expected, told as it stands: the code is for machines, the message for people. Every other error
 * is a bug, or the system's.
 */
export class ExpectedFailure<Code extends string = string> extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why something failed, in the words of whoever threw it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same with the place it was thrown from, for a fault that is ours. */
export function placeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The system's name of an error, as `ENOSPC`; '' where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** Whether there is no room on the disk, or none left for this user. */
export function isWithoutRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

/** The system's error with the path it is about: one of a write names the call alone. Any other error as it is. */
export function atPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  if ('path' in error && error.path !== undefined) return error;
  const told = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(told, { code: errorCode(error), syscall: error.syscall, path });
}
