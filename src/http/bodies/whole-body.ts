/**
 * Sends a body together with its headers. Bun's server (1.4.5) does that by itself for small bodies. Before a larger one
 * that is made after a wait it sends each name and each value on its own, in some sixty system calls, which take longer
 * than most answers do (decision 053). It sends a stream that ends with its first piece in one call, with its length.
 */
import { freeMemory } from '../../protocol/json-bytes.ts';

/** Bun sends smaller bodies together with the headers by itself. */
const smallBytesMax = 15 * 1024;

/** Makes the body of a Response. The given bytes may change after the call. @param method of the request */
export function wholeBody(
  method: string,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  // An answer to HEAD states the length of the bytes, and would not read the stream.
  if (bytes.length < smallBytesMax || method === 'HEAD') return bytes;
  const copy = new Uint8Array(bytes);
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(controller) {
      controller.write(copy);
      controller.end();
      freeMemory(copy);
    },
  };
  // With less room the server would send the piece before it knows that it is the last.
  return new ReadableStream<Uint8Array>(source, { highWaterMark: copy.length + 1 });
}
