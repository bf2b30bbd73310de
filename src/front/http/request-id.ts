/** Makes the ids of a request: its own (`X-Request-Id`) and its trace's (`traceparent`, W3C Trace Context). */
import { randomBytes } from 'node:crypto';
import { AsciiText } from '../ascii-text.ts';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Unique to the process; the count makes it unique to the request. */
const processPart = Buffer.from(`${randomBytes(6).toString('hex')}-`);
let count = 0;
const text = new AsciiText();

/** The client's own id if it is safe in headers and logs, otherwise a new one. */
export function requestIdOf(request: Request): string {
  const own = request.headers.get('x-request-id');
  if (own !== null && acceptable.test(own)) return own;
  count++;
  return text.begin().put(processPart).number(count).toString();
}

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** @returns the trace's id, 32 hexadecimal digits; null without a valid header */
export function traceIdOf({ headers }: Request): string | null {
  const header = headers.get('traceparent');
  return header === null ? null : (traceparent.exec(header)?.[1] ?? null);
}
