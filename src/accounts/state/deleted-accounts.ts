/**
 * Erases what deleted accounts leave in the file of the state. lmdb frees the pages of a deleted row and keeps their
 * bytes, so an e-mail address would stay readable until a later write needs its page, and lmdb has no call that ends
 * this.
 *
 * The row of an account begins with its id, and no text in JSON can contain this beginning. So wherever the file has it
 * with the id of an account that is gone, it is left over: in a free page, or between the rows of a page in use. Later
 * rows can cover the end of such a row, but never only its beginning.
 */
import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from '../../publication/files.ts';
import type { AccountRows } from './account-tables.ts';
import type { Write } from './account-writers.ts';
import { stateLimits } from './limits.ts';

const beginning = '{"id":"acc_';
/** A space: no address begins with one, so a row that was erased is known by it. */
const erased = ' ';
const text = String.raw`((?:[^"\\]|\\.)*)`;
const leftOver = new RegExp(`^${beginning}[A-Za-z0-9]{16}","email":"[^${erased}]`);
const wholeRow = new RegExp(`^(.{27}","email":")${text}(","company":")${text}(","use":")${text}"`);
const controlCharacter = /[\u0000-\u001f]/;
const idStart = '{"id":"'.length;
const idEnd = idStart + 'acc_'.length + 16;
/** Bytes by which a row that is left over is known. */
const headBytes = idEnd + '","email":"'.length + 1;
/** More than the longest row has up to the end of its last text. */
const rowBytes = 16 * 1024;
/** Read at once; the event loop runs in between. */
const stepBytes = 256 * 1024;

/**
 * Erases address, company and use of every account that is not in the table. A kill at any time leaves the rest to the
 * next call.
 * @param path the file of the state
 * @param write runs a change in a transaction of this file, so that nobody else writes to it meanwhile
 * @throws the system's error
 */
export async function eraseDeleted(
  path: string,
  accounts: Pick<AccountRows, 'get'>,
  write: Write,
): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const places = await placesLeftOver(file, accounts);
    for (let start = 0; start < places.length; start += stateLimits.rowsPerTransaction) {
      const part = places.slice(start, start + stateLimits.rowsPerTransaction);
      await write(() => {
        for (const place of part) eraseAt(file.fd, place, accounts);
      });
    }
    if (places.length > 0) await file.datasync();
  } finally {
    await file.close();
  }
}

/** Where such rows begin. Read beside all writing, so a place may contain something else by now. */
async function placesLeftOver(
  file: FileHandle,
  accounts: Pick<AccountRows, 'get'>,
): Promise<readonly number[]> {
  const places: number[] = [];
  const bytes = Buffer.allocUnsafe(stepBytes + headBytes);
  for (let start = 0; ; start += stepBytes) {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const part = bytes.subarray(0, bytesRead);
    let at = part.indexOf(beginning);
    for (; at !== -1 && at < stepBytes; at = part.indexOf(beginning, at + 1)) {
      if (isLeftOver(part.toString('latin1', at, at + headBytes), accounts)) places.push(start + at);
    }
    if (bytesRead < bytes.length) return places;
  }
}

function isLeftOver(row: string, accounts: Pick<AccountRows, 'get'>): boolean {
  return leftOver.test(row) && accounts.get(row.slice(idStart, idEnd)) === undefined;
}

/** Within a transaction. */
function eraseAt(file: number, place: number, accounts: Pick<AccountRows, 'get'>): void {
  const bytes = Buffer.alloc(rowBytes);
  const row = bytes.toString('latin1', 0, readSync(file, bytes, 0, rowBytes, place));
  if (!isLeftOver(row, accounts)) return;
  writeAll(file, Buffer.from(withoutTexts(row), 'latin1'), place);
}

/**
 * The beginning of a row with its texts erased, as long as it was: who still reads an earlier state finds a row.
 * @param bytes what the file has from there on; a later row may cover the end of this one
 */
function withoutTexts(bytes: string): string {
  // JSON has no control characters. Rows and pages in the file begin with the number of a page or with a size, which
  // reach one within four bytes.
  const row = bytes.slice(0, Math.max(0, bytes.search(controlCharacter) - 3));
  const parts = wholeRow.exec(row)?.slice(1) ?? [row.slice(0, headBytes - 1), row.slice(headBytes - 1)];
  return parts.map((part, index) => (index % 2 === 0 ? part : erased.repeat(part.length))).join('');
}
