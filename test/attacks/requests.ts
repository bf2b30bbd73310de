/**
 * Sends fuzzed requests as bytes over sockets: paths, queries, headers, methods, encodings and framing. Every answer is
 * a problem, a valid envelope, a page, or the HTTP server's own refusal; none is 5xx except 503, none follows one that
 * closes the connection, all have nosniff. The service survives and its memory stays bounded. One round sends a hundred
 * requests.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Served } from '../support/serve.ts';
import { faultOf } from './answers.ts';
import {
  type Attack,
  type AttackOptions,
  below,
  pick,
  type Random,
  randomOf,
  whileServing,
} from './attack.ts';

const requestsPerRound = 100;
const atOnce = 50;
/** How long to wait for an answer: if the service itself waits for the rest of a body, there is none. */
const patienceMs = 1_000;
/** How long to wait for a further answer on a connection that stays open. */
const furtherMs = 100;
/** The most private memory that a service may gain. */
const growthBytesMax = 192 * 1024 * 1024;

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
  '/reconcile',
  '/reconcile/lei_reconcile_0000',
  '/reconcile/suggest/entity?prefix=deu',
  `/reconcile/preview?id=${lei}`,
  `/reconcile/flyout/entity?id=${lei}`,
  '/reconcile?queries=%7B%22q%22%3A%7B%22query%22%3A%22deutsche+bank%22%7D%7D',
  `/reconcile?extend=%7B%22ids%22%3A%5B%22${lei}%22%5D%2C%22properties%22%3A%5B%7B%22id%22%3A%22country%22%7D%5D%7D`,
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
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 5',
  'Content-Length: 45',
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
  'queries=%7B%22q%22%3A%7B%22query%22%3A%22bank%22%7D%7D',
  'queries=[[[[[[',
  '0\r\nTrailer: x\r\n\r\n',
  '\u0000\u0001',
  'GET /api/v1/status HTTP/1.1\r\nHost: smuggled.example\r\n\r\n',
];

export function hostileRequest(random: Random): string {
  let target = pick(random, targets);
  for (let left = below(random, 3); left > 0; left--) {
    const at = below(random, target.length + 1);
    target = target.slice(0, at) + pick(random, pieces) + target.slice(at);
  }
  const lines = [`${pick(random, methods)} ${target} ${pick(random, versions)}`, 'Host: service.test'];
  for (let left = below(random, 4); left > 0; left--) lines.push(pick(random, headers));
  if (random() < 0.85) lines.push('Connection: close');
  lines.push('', pick(random, bodies));
  const text = lines.join('\r\n');
  // Some are cut off halfway, as by a client that goes away.
  return random() < 0.05 ? text.slice(0, below(random, text.length)) : text;
}

/** @returns everything that came back before the connection was closed or the wait ended */
export function send(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('latin1');
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', (piece) => {
      text += String(piece);
      socket.setTimeout(furtherMs);
    });
    // A reset is an answer too: the server had stopped reading.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Anonymous:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
}

const run: Attack['run'] = (options) =>
  whileServing(options.folder, { LEI_SAMPLE: 'on', LEI_WORKERS: '2' }, (served) => fuzz(served, options));

async function fuzz(served: Served, { rounds, seed, say }: AttackOptions) {
  const random = randomOf(seed);
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
      if (fault !== null) wrong.push(`An answer ${fault}, to ${JSON.stringify(requests[i]?.slice(0, 300))}`);
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
