/** Reads a submitted sign-up form. */
import type { Applicant } from '../../../ports/account-directory.ts';
import { formOriginFault } from '../form-origin.ts';

type Refusal = { readonly ok: false; readonly status: 400 | 403 | 413 | 415; readonly detail: string };
export type FormReading =
  | {
      readonly ok: true;
      /** The random name of the rendered form; null for a request written by hand. */
      readonly form: string | null;
      readonly applicant: Applicant;
    }
  | Refusal;

/** Three short fields need far less. */
const bodyBytesMax = 16 * 1024;
const formNamePattern = /^[A-Za-z0-9_-]{22}$/;

/** @param baseUrl the service's public address */
export async function readForm(request: Request, baseUrl: string): Promise<FormReading> {
  // A form on another site would use up the sign-ups of its visitors.
  const fault = formOriginFault(request.headers, baseUrl);
  if (fault !== null) return { ok: false, status: 403, detail: fault };
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { ok: false, status: 415, detail: 'It must be sent as application/x-www-form-urlencoded.' };
  }
  const body = await readBody(request);
  if (typeof body !== 'string') return body;
  const fields = new URLSearchParams(body);
  const field = (name: keyof Applicant) => fields.get(name) ?? '';
  const name = fields.get('form') ?? '';
  return {
    ok: true,
    form: formNamePattern.test(name) ? name : null,
    applicant: { email: field('email'), company: field('company'), use: field('use') },
  };
}

/** The body as text. Never holds more than the allowed size. */
async function readBody(request: Request): Promise<string | Refusal> {
  if (request.body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.body) {
      bytes += piece.length;
      if (bytes > bodyBytesMax) return tooLong;
      pieces.push(piece);
    }
  } catch {
    // The client went away.
    return brokenOff;
  }
  return Buffer.concat(pieces).toString('utf8');
}

const tooLong: Refusal = {
  ok: false,
  status: 413,
  detail: `It may hold at most ${bodyBytesMax / 1024} KiB.`,
};
const brokenOff: Refusal = { ok: false, status: 400, detail: 'It did not arrive whole.' };
