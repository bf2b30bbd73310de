/**
 * Reads the bodies of requests, which few addresses accept: each is bounded, and is read only as long as it keeps
 * arriving.
 */

interface RequestBodyLimits {
  readonly bytesMax: number;
  /** From the first byte to the last. */
  readonly msMax: number;
  /** Called with each piece. Returning false ends the reading: there is no room for it. */
  readonly hasRoom?: (pieceBytes: number) => boolean;
}

type RequestBody =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: 'too-long' | 'too-slow' | 'broken-off' | 'no-room' };

type Fault = (RequestBody & { ok: false })['fault'];

/** Never keeps more than the limit and one piece. */
export async function readRequestBody({ body }: Request, limits: RequestBodyLimits): Promise<RequestBody> {
  if (body === null) return { ok: true, text: '' };
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let ended: Fault | null = null;
  const end = (fault: Fault) => {
    ended ??= fault;
    void reader.cancel().catch(() => undefined);
  };
  const deadline = setTimeout(() => end('too-slow'), limits.msMax);
  try {
    await readPieces(reader, pieces, limits, end);
  } catch {
    // The client went away.
    ended ??= 'broken-off';
  } finally {
    clearTimeout(deadline);
  }
  return ended === null
    ? { ok: true, text: Buffer.concat(pieces).toString('utf8') }
    : { ok: false, fault: ended };
}

async function readPieces(
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array }> },
  pieces: Uint8Array[],
  { bytesMax, hasRoom = () => true }: RequestBodyLimits,
  end: (fault: Fault) => void,
): Promise<void> {
  let bytes = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    bytes += value.length;
    if (bytes > bytesMax || !hasRoom(value.length)) {
      end(bytes > bytesMax ? 'too-long' : 'no-room');
      return;
    }
    pieces.push(value);
  }
}
