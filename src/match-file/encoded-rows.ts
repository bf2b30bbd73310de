/** Reads rows from files of other encodings than UTF-8. */
// Its type takes any label; that of the global TextDecoder has a few only.
import { TextDecoder } from 'node:util';
import type { CsvRows } from '../loader/parse/csv/rows.ts';
import { FileRefusal } from '../loader/parse/file-reader.ts';

/** The name of an encoding in the Encoding Standard; null for a label that it does not have. */
export function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

const byteOrderMarks = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const;

/** A byte order mark is certain, so it overrules what is stated. Without either, the encoding is UTF-8. */
export function encodingOf(beginning: Buffer, stated: string | null): string {
  const hex = beginning.toString('hex', 0, 3);
  return byteOrderMarks.find(([, mark]) => hex.startsWith(mark))?.[0] ?? stated ?? 'utf-8';
}

/** The beginning of a file as text, without its byte order mark. */
export function beginningText(beginning: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(beginning);
}

/** Stands for bytes that are no character. */
const replacement = '\ufffd';

/** Passes the bytes of a file on as UTF-8. */
export class EncodedRows {
  readonly #rows: CsvRows;
  /** Null for UTF-8, which the rows check themselves. */
  readonly #decoder: TextDecoder | null;
  #bytes = 0;
  #bytesPassed = 0;

  constructor(rows: CsvRows, encoding: string) {
    this.#rows = rows;
    this.#decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding, { ignoreBOM: true });
  }

  get hasByteOrderMark(): boolean {
    return this.#rows.hasByteOrderMark;
  }

  /** Bytes of the file for each byte of its rows. */
  get bytesPerByte(): number {
    return this.#bytesPassed === 0 ? 1 : this.#bytes / this.#bytesPassed;
  }

  /** @throws FileRefusal naming the line whose bytes are no characters, or as the rows do */
  push(chunk: Uint8Array): void {
    const text = this.#decoder?.decode(chunk, { stream: true });
    if (text !== undefined) this.#check(text);
    const passed = text === undefined ? chunk : Buffer.from(text);
    this.#bytes += chunk.length;
    this.#bytesPassed += passed.length;
    this.#rows.push(passed);
  }

  /** @throws FileRefusal if the file ends within a character, or as the rows do */
  end(): void {
    if (this.#decoder !== null && this.#decoder.decode() !== '') this.#refuse(this.#decoder, '');
    this.#rows.end();
  }

  #check(text: string): void {
    const decoder = this.#decoder;
    // UTF-16 has that character too, and a half of a pair is one broken character in a file that is otherwise right.
    if (decoder === null || decoder.encoding.startsWith('utf-16')) return;
    const at = text.indexOf(replacement);
    if (at >= 0) this.#refuse(decoder, text.slice(0, at));
  }

  /** @param before the text before the bytes that are no character */
  #refuse({ encoding }: TextDecoder, before: string): never {
    this.#rows.push(Buffer.from(before));
    throw new FileRefusal(
      `line ${this.#rows.places + 1} is not valid ${encoding}; the file is damaged or has another encoding`,
    );
  }
}
