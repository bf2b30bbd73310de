/** `traceparent` (W3C Trace Context): the trace that the caller's request belongs to. */

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** @returns the trace's id, 32 hexadecimal digits; null without a valid header */
export function traceIdOf({ headers }: Request): string | null {
  const header = headers.get('traceparent');
  return header === null ? null : (form.exec(header)?.[1] ?? null);
}
