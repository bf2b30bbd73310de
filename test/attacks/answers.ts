/**
 * Judges everything that came back on one connection: each answer by itself, and whether another one should have
 * followed.
 */

interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What Bun's server sends after an answer when a body turns out to be malformed. */
const bareRefusal = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

/** @returns the faults of the answers to a request; null if there are none */
export function faultOf(request: string, text: string): string | null {
  let rest = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  for (let isFirst = true; rest !== ''; isFirst = false) {
    const read = readAnswer(rest, isFirst && request.startsWith('HEAD '));
    if (read === null) return `is no HTTP answer: ${JSON.stringify(rest.slice(0, 80))}`;
    const { answer } = read;
    const fault = faultOfAnswer(request, answer) ?? faultOfEnd(request, answer, read.rest, isFirst);
    if (fault !== null) return fault;
    rest = closes(answer) ? '' : read.rest;
  }
  return null;
}

/** A proxy passes what follows an answer to the next client, unless that answer closes the connection. */
function faultOfEnd(request: string, answer: Answer, rest: string, isFirst: boolean): string | null {
  if (closes(answer))
    return rest === '' || rest === bareRefusal ? null : 'closes the connection before another';
  const hasBody = /^(?:transfer-encoding:|content-length: *[1-9])/im.test(request);
  return isFirst && hasBody ? `(${answer.status}) to a request with a body keeps the connection` : null;
}

function closes({ headers }: Answer): boolean {
  return /\bclose\b/i.test(headers.get('connection') ?? '');
}

/** Parses one answer at the beginning of a text of bytes; null if there is none. */
function readAnswer(
  text: string,
  isHead: boolean,
): { readonly answer: Answer; readonly rest: string } | null {
  const end = text.indexOf('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(text)?.[1]);
  if (end < 0 || Number.isNaN(status)) return null;
  const lines = text.slice(0, end).split('\r\n').slice(1);
  const headers = new Map(lines.map((line): [string, string] => nameAndValue(line)));
  const after = text.slice(end + 4);
  const hasNone = isHead || status < 200 || status === 204 || status === 304;
  const length = hasNone ? 0 : bodyLength(headers, after);
  const body = Buffer.from(after.slice(0, length), 'latin1').toString();
  return { answer: { status, headers, body }, rest: after.slice(length) };
}

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function bodyLength(headers: ReadonlyMap<string, string>, after: string): number {
  if (!headers.has('transfer-encoding')) return Number(headers.get('content-length') ?? after.length);
  const end = after.indexOf('0\r\n\r\n');
  return end < 0 ? after.length : end + 5;
}

function faultOfAnswer(request: string, { status, headers, body }: Answer): string | null {
  // Bun's server itself answers 505 to a request line with another version of HTTP or with control characters.
  const isMalformed = !/^[!-~]* [!-~\u0080-\uffff]* HTTP\/1\.[01]\r\n/.test(request);
  if (status >= 500 && status !== 503 && !(status === 505 && isMalformed)) return `has status ${status}`;
  const hosts = request.split('\r\n\r\n', 1)[0]?.match(/^host:/gim) ?? [];
  if (hosts.length > 1 && status < 400)
    return `(${status}) to a request with ${hosts.length} hosts is no refusal`;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  // Answers by Bun's server itself have neither type nor body.
  if (type !== '' && headers.get('x-content-type-options') !== 'nosniff') return `(${status}) lacks nosniff`;
  const isCoded = headers.has('content-encoding') || headers.has('transfer-encoding');
  return isCoded || body === '' || !type.endsWith('json') ? null : faultOfJson(body, status, type);
}

function faultOfJson(body: string, status: number, type: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'has a body that is not JSON';
  }
  const members = new Map(Object.entries(value ?? {}));
  if (type === 'application/problem+json') {
    return members.get('status') === status && typeof members.get('title') === 'string'
      ? null
      : 'is a problem without title or with another status';
  }
  if (status !== 200) return `is ${type} with status ${status}`;
  const isEnvelope = ['data', 'meta', 'links'].every((name) => members.has(name));
  return isEnvelope || members.has('openapi') || isReconciled(value)
    ? null
    : 'is neither an envelope nor the description nor an answer of the reconciliation service';
}

/** A manifest, suggestions, an extension, a preview, or results by the names of their queries. */
function isReconciled(value: unknown): boolean {
  const members = Object.entries(value ?? {});
  const known = ['versions', 'result', 'rows', 'properties', 'html'];
  const hasResult = (each: unknown) => typeof each === 'object' && each !== null && 'result' in each;
  return (
    members.some(([name]) => known.includes(name)) ||
    (members.length > 0 && members.every(([, each]) => hasResult(each)))
  );
}
