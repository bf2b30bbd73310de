/** Reads the fields of a form that was sent to this service, by its own pages or by a program. */
import { readRequestBody } from '../bodies/request-body.ts';
import type { Visit } from './definition.ts';

type FieldsReading =
  | { readonly ok: true; readonly fields: URLSearchParams }
  /** The form is refused; `detail` is a sentence for the sender. */
  | { readonly ok: false; readonly status: 400 | 403 | 413 | 415; readonly detail: string };

/** Much more than a few short fields need. */
const bodyLimits = { bytesMax: 16 * 1024, msMax: 60_000 } as const;

export async function readFields({
  request,
  baseUrl,
}: Pick<Visit, 'request' | 'baseUrl'>): Promise<FieldsReading> {
  // Refuse first: a form on another site could act in the name of its visitor.
  const fault = formOriginFault(request.headers, baseUrl);
  if (fault !== null) return { ok: false, status: 403, detail: fault };
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { ok: false, status: 415, detail: 'It must be sent as application/x-www-form-urlencoded.' };
  }
  const body = await readRequestBody(request, bodyLimits);
  if (body.ok) return { ok: true, fields: new URLSearchParams(body.text) };
  return body.fault === 'too-long'
    ? { ok: false, status: 413, detail: `It may hold at most ${bodyLimits.bytesMax / 1024} KiB.` }
    : { ok: false, status: 400, detail: 'It did not arrive whole.' };
}

/**
 * Checks where a form was sent from. Every browser says so: by Origin, older ones at least by Referer, most by
 * Sec-Fetch-Site too. A form with neither Origin nor Referer comes from a program, which no page of another site can
 * make a visitor run.
 * @param baseUrl the service's public address
 * @returns a sentence for the sender, whose form is answered 403; null for a form of this service or of a program
 */
function formOriginFault(headers: Headers, baseUrl: string): string | null {
  const source = headers.get('origin') ?? headers.get('referer');
  const site = headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign || (source !== null && !isOwn(source, headers.get('host'), baseUrl))) {
    return 'It was sent from another site. Use the form of this one.';
  }
  return null;
}

/** True for a URL on the host that the browser asked, or below the public address. The text `null` is no URL. */
function isOwn(source: string, host: string | null, baseUrl: string): boolean {
  if (!URL.canParse(source)) return false;
  const url = new URL(source);
  return url.origin === new URL(baseUrl).origin || url.host === host?.toLowerCase();
}
