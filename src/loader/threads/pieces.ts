/**
 * Splits a stream of bytes into pieces for threads to parse. Each ends with a row or record, as far as this can be
 * recognised.
 */

import { FileRefusal } from '../parse/file-reader.ts';
import { JsonSplitter } from '../parse/json/json-splitter.ts';

/** How a file is split: after a line, after the end tag of an element, or after a record in a list of JSON. */
export type CutRule =
  | { readonly after: 'line' }
  | { readonly after: 'element'; readonly name: string }
  | { readonly after: 'record'; readonly list: string };

/** Finds the last end of a row or record in some bytes; 0 if there is none. */
type Ends = (bytes: FilePiece, known: number) => number;

export function endsOf(cut: CutRule): Ends {
  if (cut.after === 'line') return (bytes) => bytes.lastIndexOf(lineFeed) + 1;
  return cut.after === 'element' ? elementEnds(`${cut.name}>`) : recordEnds(cut.list);
}

const lineFeed = 10;
const lessThan = 0x3c;
const slash = 0x2f;

/** @param mark the end of the tag, with whatever prefix */
function elementEnds(mark: string): Ends {
  return (bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = buffer.lastIndexOf(mark); at > 0; at = buffer.lastIndexOf(mark, at - 1)) {
      if (buffer[buffer.lastIndexOf(lessThan, at) + 1] === slash) return at + mark.length;
    }
    return 0;
  };
}

/** Finds the ends of records by reading all brackets and quotes: nothing simpler can tell a record from its content. */
function recordEnds(list: string): Ends {
  const splitter = new JsonSplitter({ list: (name) => name === list });
  let cutAt = 0;
  let isBroken = false;
  return (bytes, known) => {
    try {
      if (!isBroken) splitter.push(bytes.subarray(known));
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      // The reader of the pieces finds the same fault and refuses the file, with the place.
      isBroken = true;
    }
    if (isBroken) return 0;
    const end = Math.max(0, splitter.recordsEnd - cutAt);
    cutAt += end === 0 ? bytes.length : end;
    return end;
  };
}

export type FilePiece = Uint8Array<ArrayBuffer>;

/**
 * Splits one stream. A piece may end within a record if it is shorter than the record or contains what looks like its
 * end.
 * @param memory returns the bytes for a piece, of the same length each time
 * @param ends finds where to cut
 */
export function createCutter(memory: () => FilePiece, ends: Ends) {
  let buffer = memory();
  let used = 0;
  let carried = 0;
  const cut = (): FilePiece => {
    const end = ends(buffer.subarray(0, used), carried) || used;
    const next = memory();
    next.set(buffer.subarray(end, used));
    const piece = buffer.subarray(0, end);
    buffer = next;
    used -= end;
    carried = used;
    return piece;
  };
  return {
    /** Adds bytes. @returns the pieces that are now full */
    push(chunk: Uint8Array): FilePiece[] {
      const full: FilePiece[] = [];
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + buffer.length - used);
        buffer.set(part, used);
        used += part.length;
        at += part.length;
        if (used === buffer.length) full.push(cut());
      }
      return full;
    },
    /** The rest. */
    rest: () => buffer.subarray(0, used),
  };
}
