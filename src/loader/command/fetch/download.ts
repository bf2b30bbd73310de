/**
 * Brings one published file into the folder of downloads: whole, under its own name, or not at all.
 *
 * What has arrived so far stays beside it as `<name>.part`, with a note of where it came from, so that a broken
 * line, an ended process or a Ctrl-C costs only what was under way:
 *
 *     name.zip.part + name.zip.part.json  ── all bytes here, size and beginning right ──►  name.zip
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
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withoutCredentials } from '../../../urls.ts';
import { FetchFailure } from './fetch-failure.ts';
import type { PublishedFile } from './publishers.ts';
import { asHiccup, ask, Hiccup, type Transport, withRetries } from './transport.ts';

export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** False where the file was there already. */
  readonly fetched: boolean;
}

/** Where a part came from: its rest may only be added from the very same file. */
interface PartNote {
  readonly url: string;
  /** Strong ETag, or Last-Modified: what If-Range compares. */
  readonly validator: string;
}

/** A step of this size counts as getting further. */
const furtherBytesMin = 1024 * 1024;
const zipBeginning = 'PK\u0003\u0004';

/**
 * Downloads a file, or takes it as it is where it is there already.
 * @param arrived told the bytes of this file that are here, after each chunk
 * @throws FetchFailure
 */
export async function download(
  transport: Transport,
  file: PublishedFile,
  folder: string,
  arrived: (bytes: number) => void,
): Promise<Downloaded> {
  const path = join(folder, basename(file.name));
  const present = existsSync(path) ? statSync(path).size : -1;
  // Names carry the time of their publication, and a file is only ever renamed to its name when whole.
  if (present >= 0 && (file.bytes === null || file.bytes === present)) {
    return { path, bytes: present, fetched: false };
  }
  await mkdir(dirname(path), { recursive: true });
  const bytes = await withRetries(transport, file.url, (gotFurther) =>
    receive(transport, file, `${path}.part`, gotFurther, arrived),
  );
  await rename(`${path}.part`, path);
  dropPart(`${path}.part`, 'note');
  return { path, bytes, fetched: true };
}

/** One try: continues the part where that is safe, else begins anew. */
async function receive(
  transport: Transport,
  file: PublishedFile,
  part: string,
  gotFurther: () => void,
  arrived: (bytes: number) => void,
): Promise<number> {
  const note = readNote(part, file.url);
  const have = note === null ? 0 : statSync(part).size;
  const headers: Record<string, string> = { 'Accept-Encoding': 'identity' };
  if (note !== null && have > 0) {
    headers['Range'] = `bytes=${have}-`;
    headers['If-Range'] = note.validator;
  }
  const { response, heard, close } = await ask(transport, file.url, headers);
  try {
    const from = startOf(response, have, part);
    if (from === 0) {
      // In this order: a new note beside old bytes, left by a crash, would join two files.
      dropPart(part, 'all');
      writeNote(part, file.url, response);
    }
    const bytes = await store(response, part, from, (now) => {
      heard();
      if (now - have >= furtherBytesMin) gotFurther();
      arrived(now);
    });
    const total = totalOf(response, from) ?? file.bytes;
    if (total !== null && bytes < total) throw new Hiccup(`broke off after ${bytes} of ${total} bytes`);
    checkWhole(file, part, bytes);
    return bytes;
  } catch (error) {
    throw asHiccup(error, transport);
  } finally {
    close();
  }
}

/** Where the answer's bytes belong. 206 must continue exactly what is here; 200 sends everything. */
function startOf(response: Response, have: number, part: string): number {
  if (response.status === 200) return 0;
  const range = /^bytes (\d+)-\d+\//.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206 && range !== null && Number(range[1]) === have) return have;
  // 416 and anything else that does not fit: what is here can't be continued.
  dropPart(part, 'all');
  throw new Hiccup(`could not be continued at byte ${have} (${response.status})`);
}

/** The bytes of the whole file. A range may be answered with a part of it, which its Content-Range tells. */
function totalOf(response: Response, from: number): number | null {
  if (isUnpacked(response)) return null;
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206 && whole !== null) return Number(whole[1]);
  const length = response.headers.get('content-length');
  return length === null ? null : from + Number(length);
}

/** Packed on the way although nobody asked for it, so that its lengths are not those of the file that arrives. */
function isUnpacked(response: Response): boolean {
  return (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
}

async function store(
  response: Response,
  part: string,
  from: number,
  arrived: (bytes: number) => void,
): Promise<number> {
  const file = await open(part, from === 0 ? 'w' : 'r+');
  try {
    const bytes = await writeAll(file, response, from, arrived);
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function writeAll(
  file: FileHandle,
  response: Response,
  from: number,
  arrived: (bytes: number) => void,
): Promise<number> {
  let position = from;
  for await (const chunk of response.body ?? []) {
    await file.write(chunk, 0, chunk.length, position);
    position += chunk.length;
    arrived(position);
  }
  return position;
}

/** Checks what arrived before it gets its name, since a file with its name is taken as it is from then on. */
function checkWhole(file: PublishedFile, part: string, bytes: number): void {
  if (file.bytes !== null && bytes !== file.bytes) {
    dropPart(part, 'all');
    throw new FetchFailure(
      'wrong-size',
      `${file.url} is ${bytes} bytes, but the publisher announces ${file.bytes}.`,
    );
  }
  const kind = file.name.split('.').at(-1);
  const beginning = beginningOf(part);
  if (kind === 'zip' && beginning === zipBeginning) return;
  // A web page that tells of a fault comes with status 200, too.
  if (kind === 'csv' && bytes > 0 && !beginning.trimStart().startsWith('<')) return;
  if (kind !== 'zip' && kind !== 'csv') return;
  dropPart(part, 'all');
  throw new FetchFailure(
    'unexpected-answer',
    `${file.url} did not send a ${kind} file${bytes === 0 ? ', but nothing' : ''}.`,
  );
}

function beginningOf(path: string): string {
  const bytes = Buffer.alloc(zipBeginning.length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes)).toString('latin1');
  } finally {
    closeSync(file);
  }
}

function readNote(part: string, url: string): PartNote | null {
  if (!existsSync(part) || !existsSync(noteOf(part))) return null;
  try {
    const note: unknown = JSON.parse(readFileSync(noteOf(part), 'utf8'));
    return isNote(note) && note.url === withoutCredentials(url) ? note : null;
  } catch {
    // A note cut off by a crash: the part begins anew.
    return null;
  }
}

function isNote(value: unknown): value is PartNote {
  if (typeof value !== 'object' || value === null || !('url' in value) || !('validator' in value))
    return false;
  return typeof value.url === 'string' && typeof value.validator === 'string';
}

/**
 * Without a validator nothing could tell later whether the file is still the same, so nothing is noted. Nor of one that
 * was packed on the way: a range would be one of the packed bytes.
 */
function writeNote(part: string, url: string, response: Response): void {
  if (isUnpacked(response)) return;
  const tag = response.headers.get('etag');
  const validator = tag?.startsWith('"') ? tag : response.headers.get('last-modified');
  if (validator === null) return;
  const note: PartNote = { url: withoutCredentials(url), validator };
  writeFileSync(noteOf(part), JSON.stringify(note));
}

function noteOf(part: string): string {
  return `${part}.json`;
}

function dropPart(part: string, what: 'all' | 'note'): void {
  rmSync(noteOf(part), { force: true });
  if (what === 'all') rmSync(part, { force: true });
}
