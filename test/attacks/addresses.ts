/**
 * Writes addresses so that two parsers may read them differently: with fragments, and with Hosts that are none. Each
 * that is malformed gets 400, none gets 5xx, and all count: the answers of a client end at its limits. One round sends
 * twenty requests to pages and as many to the API, with new limits of ten for each.
 */
import { join } from 'node:path';
import { parseAnswer, sendRaw } from '../support/raw-socket.ts';
import { type Attack, pick, type Random, randomOf, whileServing } from './attack.ts';

const requestsPerRound = 20;
const limit = 10;
const settings = {
  LEI_SAMPLE: 'on',
  LEI_LIMITS: 'enforce',
  LEI_TRUSTED_PROXIES: '127.0.0.1',
  LEI_PAGES_BURST: String(limit),
  LEI_ANONYMOUS_DAILY: String(limit),
};

const lei = '7LTWFZYICNSX8D621K86';
const targets = {
  pages: [
    ...[
      '/?#&q=deutsche+bank',
      '/#?q=deutsche+bank',
      '/?q=deutsche#+bank',
      '/?q=bank&x=#',
      '/docs#',
      '/nowhere#',
      '/api/v1/search#?q=bank',
      `/ext/v1/companies#?lei=${lei}`,
      '/reconcile#?queries={}',
    ],
    ...[
      `/company/${lei}#`,
      `/company/${lei.toLowerCase()}?a#b`,
      '/suggest#?q=deu',
      '/suggest?q=deu#',
      '/signup#',
    ],
  ],
  api: [
    ...['/api/v1/search?q=bank#', '/api/v1/search?#&q=bank', `/api/v1/lei/${lei}#`],
    ...[`/api/v1/lei/${lei}#/changes`, `/ext/v1/lei/${lei}/ownership?#depth=1`, '/reconcile?#queries={}'],
    ...['/reconcile/suggest/entity?prefix=deu#'],
  ],
} as const;
const hosts = [
  '[::1',
  ']',
  '[',
  '[]',
  '[::1]:x',
  'a:99999',
  'a:b',
  '256.256.256.256',
  'a b',
  'a/b?c#d',
  '%zz',
  '/',
];

/** Either the target is malformed, or the Host is. */
function malformed(random: Random, kind: keyof typeof targets): string {
  const target = pick(random, targets[kind]);
  if (random() < 0.5) return headOf(target, 'a.example');
  return headOf(target.replace('#', ''), pick(random, hosts));
}

function headOf(target: string, host: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
}

interface Sending {
  readonly port: number;
  readonly random: Random;
  /** The address for which the proxy sends. */
  readonly client: string;
}

/**
 * Sends more than the limits of pages and of the API allow together: as many as they allow get 400, the others 429.
 * Which of the two counts an address that is none is the router's reading of it.
 */
async function use({ port, random, client }: Sending): Promise<string[]> {
  const wrong: string[] = [];
  let allowed = 0;
  for (let sent = 0; sent < 2 * requestsPerRound; sent++) {
    const head = malformed(random, sent % 2 === 0 ? 'pages' : 'api');
    const request = `${head}X-Forwarded-For: ${client}\r\nConnection: close\r\n\r\n`;
    const { status } = parseAnswer(await sendRaw(port, request));
    if (status === 400) allowed += 1;
    else if (status !== 429) wrong.push(`${JSON.stringify(head)} got ${status}, not 400 or 429.`);
  }
  if (allowed !== 2 * limit) wrong.push(`${client} got 400 ${allowed} times, not ${2 * limit}.`);
  return wrong;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const random = randomOf(seed);
  const wrong = await whileServing(join(folder, 'data'), settings, async ({ url }) => {
    const port = Number(new URL(url).port);
    const found: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const client = `192.0.2.${round % 256}`;
      found.push(...(await use({ port, random, client })));
    }
    return found;
  });
  const tried = 2 * rounds * requestsPerRound;
  say(`${tried} malformed addresses`);
  return { tried, wrong };
};

export const attack: Attack = { name: 'addresses', run };
