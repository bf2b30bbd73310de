/** Reads the fields of a form that was sent to this service, by its own pages or by a program. */
import { discarded, type RequestBodyLimits, readRequestBody } from '../http/bodies/request-body.ts';
import type { Visit } from './definition.ts';

type FieldsReading =
  | { readonly ok: true; readonly fields: URLSearchParams }
  /** The form is refused; `detail` is a sentence for the sender. */
  | { readonly ok: false; readonly status: 400 | 403 | 413 | 415 | 503; readonly detail: string };

/** Much more than a few short fields need. */
const fieldsBytesMax = 16 * 1024;
const fieldsMsMax = 60_000;

/** @param limits of a form that is longer than a few fields */
export async function readFields(
  { request, ...address }: Pick<Visit, 'request' | 'baseUrl' | 'publicUrl'>,
  limits: Pick<RequestBodyLimits, 'bytesMax' | 'hasRoom'> = { bytesMax: fieldsBytesMax },
): Promise<FieldsReading> {
  // Refuse first: a form on another site could act in the name of its visitor.
  const fault = formOriginFault(request.headers, address);
  if (fault !== null) return { ok: false, status: 403, detail: fault };
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { ok: false, status: 415, detail: 'It must be sent as application/x-www-form-urlencoded.' };
  }
  const bounds = { discardedBytesMax: discarded.bytesMax, msMax: fieldsMsMax, ...limits };
  const body = await readRequestBody(request, bounds);
  if (body.ok) return { ok: true, fields: new URLSearchParams(body.text) };
  return { ok: false, ...bodyFaults(limits.bytesMax)[body.fault] };
}

function bodyFaults(bytesMax: number) {
  const brokenOff = { status: 400, detail: 'It did not arrive whole.' } as const;
  return {
    'too-long': { status: 413, detail: `It may hold at most ${bytesMax / 1024} KiB.` },
    'no-room': { status: 503, detail: 'Too much arrives just now. Please send it again in a few seconds.' },
    'too-slow': brokenOff,
    'broken-off': brokenOff,
  } as const;
}

/**
 * Checks where a form was sent from. Every browser says so: by Origin, older ones at least by Referer, most by
 * Sec-Fetch-Site too. A form with neither Origin nor Referer comes from a program, which no page of another site can
 * make a visitor run.
 * @returns a sentence for the sender, whose form is answered 403; null for a form of this service or of a program
 */
function formOriginFault(headers: Headers, address: FormAddress): string | null {
  const source = headers.get('origin') ?? headers.get('referer');
  const site = headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  const own = ownOrigins(address);
  if (!isForeign && (source === null || own.includes(URL.parse(source)?.origin ?? ''))) return null;
  return `It was sent from another site. Use the form of this one, at ${address.baseUrl}. (For its operator: LEI_BASE_URL must be the address that browsers show.)`;
}

/**
 * Never the host that was asked for: a name of another site may lead to this machine (DNS rebinding), and the browser
 * then believes that it asks that site.
 */
function ownOrigins({ baseUrl, publicUrl }: FormAddress): readonly string[] {
  const own = new URL(baseUrl);
  const names = publicUrl === null ? [own.hostname, ...loopbackNames] : [own.hostname];
  return names.map((name) => Object.assign(new URL(own), { hostname: name }).origin);
}
/** The names by which a browser on this machine reaches a service that has no public address. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

type FormAddress = Pick<Visit, 'baseUrl' | 'publicUrl'>;
