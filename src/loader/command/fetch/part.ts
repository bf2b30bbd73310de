/**
 * Stores the downloaded part of a file: `NAME.part`, with its origin in `NAME.part.json`. Only the rest of exactly the
 * same file is added to it.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { withoutCredentials } from '../../../urls.ts';

interface PartNote {
  readonly url: string;
  /** Strong ETag or Last-Modified: the value for If-Range. */
  readonly validator: string;
}

/** A part that can be resumed. */
export interface Resumable {
  /** Downloaded bytes. */
  readonly have: number;
  readonly validator: string;
}

/** Null if nothing can be resumed: no part, no note, or the note of another address. */
export function resumable(part: string, url: string): Resumable | null {
  const note = readNote(part, url);
  const have = note === null ? 0 : statSync(part).size;
  return note === null || have === 0 ? null : { have, validator: note.validator };
}

function readNote(part: string, url: string): PartNote | null {
  if (!existsSync(part) || !existsSync(noteOf(part))) return null;
  try {
    const note: unknown = JSON.parse(readFileSync(noteOf(part), 'utf8'));
    return isNote(note) && note.url === withoutCredentials(url) ? note : null;
  } catch {
    // A crash cut the note off; start the part again.
    return null;
  }
}

function isNote(value: unknown): value is PartNote {
  if (typeof value !== 'object' || value === null || !('url' in value) || !('validator' in value))
    return false;
  return typeof value.url === 'string' && typeof value.validator === 'string';
}

/** Starts a part again. The old bytes go first: a crash must not leave a new note beside them. */
export function beginPart(part: string, url: string, response: Response): void {
  dropPart(part);
  const validator = validatorOf(response);
  if (validator === null) return;
  const note: PartNote = { url: withoutCredentials(url), validator };
  writeFileSync(noteOf(part), JSON.stringify(note));
}

/**
 * Null if the part can't be resumed: without a validator nobody knows whether the file is still the same, and a range
 * of a compressed body would count compressed bytes.
 */
function validatorOf(response: Response): string | null {
  if (isPacked(response)) return null;
  const tag = response.headers.get('etag');
  return tag?.startsWith('"') ? tag : response.headers.get('last-modified');
}

/** Whether the server compressed the body although nobody asked for it: its lengths are then not those of the file. */
export function isPacked(response: Response): boolean {
  return (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
}

/** The first characters of a file, one per byte. */
export function beginningOf(path: string, length: number): string {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes)).toString('latin1');
  } finally {
    closeSync(file);
  }
}

export function dropPart(part: string): void {
  dropNote(part);
  rmSync(part, { force: true });
}

export function dropNote(part: string): void {
  rmSync(noteOf(part), { force: true });
}

function noteOf(part: string): string {
  return `${part}.json`;
}
