/** Joins strings into chunks of bytes: a file becomes some thousand large pieces instead of millions of small ones. */

const chunkCharacters = 256 * 1024;

/** The strings as UTF-8 chunks, in order. Each chunk has its own memory. */
export function* textChunks(texts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let pieces: string[] = [];
  let length = 0;
  for (const text of texts) {
    pieces.push(text);
    length += text.length;
    if (length < chunkCharacters) continue;
    yield encoder.encode(pieces.join(''));
    pieces = [];
    length = 0;
  }
  if (length > 0) yield encoder.encode(pieces.join(''));
}
