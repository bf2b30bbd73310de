/** `X-Request-Id`: the client's own id where it is safe in headers and logs, else a new one. */
import { randomBytes } from 'node:crypto';
import { AsciiText } from '../ascii-text.ts';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Unique to the process; the count is unique to the request. */
const processPart = Buffer.from(`${randomBytes(6).toString('hex')}-`);
let count = 0;
const text = new AsciiText();

export function requestIdOf(request: Request): string {
  const own = request.headers.get('x-request-id');
  if (own !== null && acceptable.test(own)) return own;
  count++;
  return text.begin().put(processPart).number(count).toString();
}
