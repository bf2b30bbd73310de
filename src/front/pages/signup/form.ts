/** Reads what a browser sends when the sign-up form is submitted. */
import type { Applicant } from '../../../ports/account-directory.ts';

type Refusal = { readonly ok: false; readonly status: 400 | 403 | 413 | 415; readonly detail: string };
export type FormReading =
  | {
      readonly ok: true;
      /** The random name of the rendered form; null where it was written by hand. */
      readonly form: string | null;
      readonly applicant: Applicant;
    }
  | Refusal;

/** Three short fields need far less. */
const bodyBytesMax = 16 * 1024;
const formNamePattern = /^[A-Za-z0-9_-]{22}$/;

export async function readForm(request: Request): Promise<FormReading> {
  // A form on somebody else's page would use up its visitors' sign-ups. Browsers say where a form came from.
  const site = request.headers.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') {
    return { ok: false, status: 403, detail: 'It was sent from another site. Use the form of this one.' };
  }
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

/** The body as text; no more of it than is allowed is ever held. */
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
    // Its sender went away, as browsers do all day.
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
