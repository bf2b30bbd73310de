/**
 * Fuzzes requests: paths, queries, headers, methods, encodings and framing, as bytes over sockets of their own. Every answer
 * is a problem, a valid envelope, a page, or the HTTP server's own refusal; none is 5xx but 503; the service lives on and
 * its memory is bounded. One round sends a hundred requests. Alone: `sh src/with-bun.sh test/attacks/requests.ts --rounds N
 * --seed S`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Served, serve } from '../support/serve.ts';
import { type Attack, type AttackResult, randomOf, runAlone } from './attack.ts';

const requestsPerRound = 100;
const atOnce = 20;
/** How long an answer is waited for: what the service waits for too (the rest of a body) has none. */
const patienceMs = 1_000;
/** Private memory that a service may gain, whatever it is sent. */
const growthBytesMax = 192 * 1024 * 1024;

type Random = () => number;
const below = (random: Random, bound: number) => Math.floor(random() * bound);
const pick = (random: Random, texts: readonly string[]) => texts[below(random, texts.length)] ?? '';

const lei = '7LTWFZYICNSX8D621K86';
const targets = [
  `/api/v1/lei/${lei}`,
  `/api/v1/lei/${lei}/relationships`,
  `/api/v1/lei/${lei}/changes?limit=2`,
  '/api/v1/search?q=deutsche+bank&limit=3',
  '/api/v1/bic/DEUTDEFF',
  '/api/v1/isin/DE0005140008',
  '/api/v1/mic/XFRA',
  '/api/v1/status',
  '/openapi.json',
  '/docs',
  '/',
  '/signup',
  '*',
  'http://elsewhere.example/api/v1/status',
];
const pieces = [
  ...['%', '%00', '%0d%0a', '%2e%2e/', '../', '//', '/', '?', '#', '&', '&limit=', '&limit=-1', '&limit=1e9'],
  ...[
    '&cursor=AAAA',
    '&q=',
    '&q=%ff',
    '&country=ZZ',
    '&status=%',
    '\u0000',
    '\t',
    'é',
    '三',
    '%F0%9F%92%A9',
    ';',
  ],
  ...['a'.repeat(600), 'q='.repeat(3_000), '\u202e', '\\', '"', '{}', '__proto__', 'constructor', '[]=1'],
];
const methods = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'BREW',
  'get',
  '',
];
const headers = [
  'Authorization: Bearer lei_live_0000',
  `Authorization: Bearer ${'x'.repeat(2_000)}`,
  'Authorization: Basic YTpi',
  'If-None-Match: *',
  'If-None-Match: "',
  `If-None-Match: ${'"a",'.repeat(500)}`,
  'If-Modified-Since: Thu, 99 Jan 99999 99:99:99 GMT',
  'Accept: text/html;q=2, */*;q=-1',
  'Accept-Encoding: gzip;q=0, zstd, br;q=1.5, ,;',
  `Accept-Encoding: ${'gzip,'.repeat(900)}`,
  'Origin: null',
  'X-Forwarded-For: ::ffff:1.2.3.4, 999.1.1.1, [::1]:80',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1\r\nContent-Length: 2',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Range: bytes=0-0,-1',
  'Expect: 100-continue',
  'Host: second.example',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'X-Empty:',
  ': no name',
  'No colon at all',
  `X-Long: ${'h'.repeat(20_000)}`,
];
const versions = [...Array<string>(12).fill('HTTP/1.1'), 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''];
const bodies = [
  '',
  '',
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  '0\r\nTrailer: x\r\n\r\n',
  '\u0000\u0001',
];

function hostileRequest(random: Random): string {
  let target = pick(random, targets);
  for (let left = below(random, 3); left > 0; left--) {
    const at = below(random, target.length + 1);
    target = target.slice(0, at) + pick(random, pieces) + target.slice(at);
  }
  const lines = [`${pick(random, methods)} ${target} ${pick(random, versions)}`, 'Host: service.test'];
  for (let left = below(random, 4); left > 0; left--) lines.push(pick(random, headers));
  lines.push('Connection: close', '', pick(random, bodies));
  const text = lines.join('\r\n');
  // Some are cut off in their midst, as by a client that goes away.
  return random() < 0.05 ? text.slice(0, below(random, text.length)) : text;
}

/** @returns all that came back before the connection was closed or patience ended */
function send(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('utf8');
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', (piece) => {
      text += String(piece);
    });
    // A reset is an answer too: the server had stopped reading.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** @returns what is wrong with the first answer on a connection; null where nothing is */
function faultOf(request: string, text: string): string | null {
  if (text === '') return null;
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return 'is no HTTP answer';
  // Bun's server answers a request line with another version of HTTP, or with control characters, by 505 itself.
  const isMalformed = !/^[!-~]* [!-~\u0080-\uffff]* HTTP\/1\.[01]\r\n/.test(request);
  if (status >= 500 && status !== 503 && !(status === 505 && isMalformed)) return `has status ${status}`;
  const type = /^content-type: *([^;\r\n]+)/im.exec(head)?.[1] ?? '';
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = Buffer.from(text.slice(end + 4))
    .subarray(0, length)
    .toString();
  const isCoded = /^content-encoding:/im.test(head);
  // An answer to HEAD has no body: bytes after it are another answer.
  const hasBody = body !== '' && !request.startsWith('HEAD ');
  return isCoded || !hasBody || !type.endsWith('json') ? null : faultOfJson(body, status, type);
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
  return isEnvelope || members.has('openapi') ? null : 'is neither an envelope nor the description';
}

function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Anonymous:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
}

async function run({ rounds, seed, say }: Parameters<Attack['run']>[0]): Promise<AttackResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lei-attack-requests-'));
  const served = await serve(dataDir, { LEI_SAMPLE: 'on' });
  try {
    return await fuzz(served, rounds, randomOf(seed), say);
  } finally {
    served.kill('SIGTERM');
    await served.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fuzz(
  served: Served,
  rounds: number,
  random: Random,
  say: (line: string) => void,
): Promise<AttackResult> {
  const port = Number(new URL(served.url).port);
  const wrong: string[] = [];
  const before = privateBytes(served.pid);
  const tried = rounds * requestsPerRound;
  let answered = 0;
  for (let sent = 0; sent < tried; sent += atOnce) {
    const requests = Array.from({ length: Math.min(atOnce, tried - sent) }, () => hostileRequest(random));
    const answers = await Promise.all(requests.map((request) => send(port, request)));
    answers.forEach((answer, i) => {
      if (answer !== '') answered++;
      const fault = faultOf(requests[i] ?? '', answer);
      if (fault !== null) wrong.push(`An answer ${fault}: ${JSON.stringify(requests[i]?.slice(0, 300))}`);
    });
  }
  const grown = privateBytes(served.pid) - before;
  say(
    `${answered} of ${tried} requests were answered; private memory grew by ${(grown / 2 ** 20).toFixed(0)} MiB`,
  );
  if (grown > growthBytesMax)
    wrong.push(`Private memory grew by ${grown} bytes, more than ${growthBytesMax}.`);
  const { status } = await served.json(`/api/v1/lei/${lei}`);
  if (status !== 200) wrong.push(`After the attack a look-up has status ${status}, not 200.`);
  return { tried, wrong };
}

export const attack: Attack = { name: 'requests', run };

if (import.meta.main) await runAlone(attack);
