/**
 * Reads the bodies of requests, which few addresses accept: each is bounded, and is read only as long as it keeps
 * arriving.
 */

export interface RequestBodyLimits {
  readonly bytesMax: number;
  /**
   * This much more is read and thrown away before a body counts as too long; 0 by default. A connection that closes on
   * unread bytes is reset, and a proxy that still sends then answers 502 in place of our refusal.
   */
  readonly discardedBytesMax?: number;
  /** From the first byte to the last. */
  readonly msMax: number;
  /** Called with each piece. Returning false ends the reading: there is no room for it. */
  readonly hasRoom?: (pieceBytes: number) => boolean;
}

/**
 * How much of a body that nobody wants is read, and for how long. Proxies often pass on up to 1 MiB, at once; a client
 * that still sends after this time gets its answer all the same.
 */
export const discarded = { bytesMax: 1024 * 1024, msMax: 2_000 } as const;

/** Reads the body of a request that was answered without it. */
export async function discardBody(request: Request): Promise<void> {
  if (request.body === null || request.body.locked) return;
  await readRequestBody(request, { ...discarded, bytesMax: 0, discardedBytesMax: discarded.bytesMax });
}

type RequestBody =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: 'too-long' | 'too-slow' | 'broken-off' | 'no-room' };

type BodyFault = (RequestBody & { ok: false })['fault'];

/** Never keeps more than the limit and one piece. */
export async function readRequestBody({ body }: Request, limits: RequestBodyLimits): Promise<RequestBody> {
  if (body === null) return { ok: true, text: '' };
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let ended: BodyFault | null = null;
  const end = (fault: BodyFault) => {
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
  { bytesMax, discardedBytesMax = 0, hasRoom = () => true }: RequestBodyLimits,
  end: (fault: BodyFault) => void,
): Promise<void> {
  let bytes = 0;
  for (;;) {
    const { value } = await reader.read();
    bytes += value?.length ?? 0;
    const isTooLong = bytes > bytesMax;
    if (isTooLong && (value === undefined || bytes > bytesMax + discardedBytesMax)) return end('too-long');
    if (value === undefined) return;
    if (!isTooLong && !hasRoom(value.length)) return end('no-room');
    if (isTooLong) pieces.length = 0;
    else pieces.push(value);
  }
}
