/** Defines what several answers are made of: their outcomes, and parts of their JSON. */

import { type Notices, noNotices } from '../lei/notices.ts';
import { JsonBytes, type JsonPiece, piece } from '../protocol/json-bytes.ts';
import type { Answer, Coding } from '../protocol/questions.ts';
import type { EntitySummary, SummaryField } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { queryLimits } from './limits.ts';

export const notFound: Answer = { outcome: 'not-found' };

/** Shared by all answers: each leaves the thread before the next is made. */
export const out = new JsonBytes();

/** @param json the answer's JSON; its memory may be reused once the answer has left the thread */
export function found(json: JsonBytes, notices: Notices = noNotices, next: string | null = null): Answer {
  return { outcome: 'found', data: json.bytes(), next, notices };
}

/** The same for JSON that no other answer is written to: its memory is freed once the answer has left the thread. */
export function foundAlone(json: JsonBytes): Answer {
  return { outcome: 'found', data: json.bytes(), next: null, notices: noNotices, free: () => json.free() };
}

/** JSON text of a string, or `null`. */
export function textOrNull(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}

const listStart = 0x5b;
const listEnd = 0x5d;
const comma = 0x2c;

/** Writes a list, each item as `put` writes it. */
export function putList<Item>(to: JsonBytes, items: readonly Item[], put: (item: Item) => void): void {
  to.byte(listStart);
  items.forEach((item, index) => {
    if (index > 0) to.byte(comma);
    put(item);
  });
  to.byte(listEnd);
}

/** The same for a list of any length, to a buffer that nobody else uses between two steps if there are many items. */
export function* putListInSteps<Item>(
  to: JsonBytes,
  items: readonly Item[],
  put: (item: Item) => void,
): Steps<void> {
  to.byte(listStart);
  const from = to.length;
  for (const [index, item] of items.entries()) {
    if (index > 0) to.byte(comma);
    if (index > 0 && index % queryLimits.itemsPerStep === 0) {
      // The others are about as long as those of the first step.
      if (index === queryLimits.itemsPerStep)
        to.expect(((to.length - from) / index) * (items.length - index));
      yield;
    }
    put(item);
  }
  to.byte(listEnd);
}

/** A member that shows a field of a company: the text before its value, and the field. */
interface ShownField {
  readonly before: JsonPiece;
  readonly field: SummaryField;
}

export function shown(before: string, field: SummaryField): ShownField {
  return { before: piece(before), field };
}

export function putShown(out: JsonBytes, summary: EntitySummary, members: readonly ShownField[]): void {
  for (const { before, field } of members) {
    out.put(before);
    summary.put(out, field);
  }
}

const readZlib = (): typeof import('node:zlib') => require('node:zlib');

let zlib: ReturnType<typeof readZlib> | null = null;

/**
 * The bytes in the given content coding, at fast levels, because a body is compressed for one answer and not kept. Done
 * in a query thread because a large body would block the front.
 */
export function compress(coding: Coding, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  zlib ??= readZlib();
  const { constants } = zlib;
  switch (coding) {
    case 'zstd':
      return zlib.zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
    case 'br':
      return zlib.brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    case 'gzip':
      return zlib.gzipSync(bytes, { level: 6 });
  }
}
