/** Strings joined into chunks of bytes, so that a file is a few thousand large pieces and not millions of small ones. */

const chunkCharacters = 256 * 1024;

/** UTF-8 chunks of the strings, in order. A chunk belongs to whoever takes it. */
export function* textChunks(texts: Iterable<string>): Generator<Uint8Array> {
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
