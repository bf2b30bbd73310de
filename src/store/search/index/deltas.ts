/**
 * Reads short lists of documents, stored as differences: ascending numbers, each as a varint of its distance to the
 * last.
 */
import type { ByteWriter } from '../../../bytes/byte-writer.ts';
import { readVarint } from '../../../bytes/numbers-in-bytes.ts';

export function writeDeltas(writer: ByteWriter, documents: Uint32Array): void {
  let before = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    writer.varint(document - before);
    before = document;
  }
}

/** Reads a list of `count` documents that begins at `at`. */
export function readDeltas(bytes: Uint8Array, at: number, count: number): Uint32Array {
  const documents = new Uint32Array(count);
  const cursor = { bytes, at };
  let document = 0;
  for (let i = 0; i < count; i++) {
    document += readVarint(cursor);
    documents[i] = document;
  }
  return documents;
}
