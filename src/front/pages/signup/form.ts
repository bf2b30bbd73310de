/** Reads a submitted sign-up form. */
import type { Applicant } from '../../../ports/account-directory.ts';
import { readRequestBody } from '../../bodies/request-body.ts';
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
const bodyLimits = { bytesMax: 16 * 1024, msMax: 60_000 } as const;
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
  const body = await readRequestBody(request, bodyLimits);
  if (!body.ok) return body.fault === 'too-long' ? tooLong : brokenOff;
  const fields = new URLSearchParams(body.text);
  const field = (name: keyof Applicant) => fields.get(name) ?? '';
  const name = fields.get('form') ?? '';
  return {
    ok: true,
    form: formNamePattern.test(name) ? name : null,
    applicant: { email: field('email'), company: field('company'), use: field('use') },
  };
}

const tooLong: Refusal = {
  ok: false,
  status: 413,
  detail: `It may hold at most ${bodyLimits.bytesMax / 1024} KiB.`,
};
const brokenOff: Refusal = { ok: false, status: 400, detail: 'It did not arrive whole.' };
