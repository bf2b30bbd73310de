/**
 * Floods a running service with searches from a thousand addresses, each within its quota and with all its connections
 * waiting. An honest client asks one question at a time. At most one search of each address may be answered before its
 * own. One round is one search and one look-up of the honest client.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { generate } from '../../src/generate/generate.ts';
import { loadHere } from '../support/load-here.ts';
import { askOn, parseAnswer } from '../support/raw-socket.ts';
import type { Served } from '../support/serve.ts';
import { type Attack, type AttackOptions, pick, type Random, randomOf, whileServing } from './attack.ts';

const entities = 2_000;
const addresses = 1_000;
/** Together fewer than may wait, so that none is refused because the queue is full. */
const connectionsPerAddress = 2;
/**
 * Searches of others that may be answered while the honest client waits: one of each address, those in the thread, and
 * those that are answered while its connection is accepted and its answer is read.
 */
const searchesMeanwhileMax = 1.6 * addresses;
const honestAddress = '192.0.2.1';
/** How long a refused attacker waits before it asks again. */
const askAgainMs = 200;
/** Words that occur in many names. */
const words = ['bank', 'fund', 'capital', 'trading', 'partners', 'energy', 'group', 'estate'];

interface Flood {
  /** Searches that were answered with hits. */
  readonly answered: () => number;
  readonly refused: () => number;
  /** Other answers, as sentences. */
  readonly wrong: readonly string[];
  stop(): Promise<void>;
}

/** A client's request as a trusted proxy passes it on. */
function requestOf(address: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: service.test\r\nAccept-Encoding: identity\r\nX-Forwarded-For: ${address}\r\n\r\n`;
}

/** Starts all attackers; each connection sends its next search as soon as the one before is answered. */
function startFlood(port: number, random: Random): Flood {
  let answered = 0;
  let refused = 0;
  let isOver = false;
  const wrong: string[] = [];
  const attack = async (address: string) => {
    const socket = connect(port, '127.0.0.1');
    while (!isOver) {
      const path = `/api/v1/search?q=${pick(random, words)}`;
      const answer = parseAnswer(await askOn(socket, requestOf(address, path)));
      if (answer.status === 200) answered++;
      else if (answer.status === 503 && answer.headers.has('retry-after')) {
        refused++;
        await sleep(askAgainMs);
      } else if (!isOver) {
        wrong.push(`A search of the flood was answered ${answer.status}.`);
        break;
      }
    }
    socket.destroy();
  };
  const attackers = Array.from({ length: addresses * connectionsPerAddress }, (_, index) => {
    const address = index % addresses;
    return attack(`198.18.${address >> 8}.${address & 255}`);
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(attackers);
  };
  return { answered: () => answered, refused: () => refused, wrong, stop };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The honest client's fault; none if it is answered in its turn. */
async function askHonestly(port: number, path: string, flood: Flood): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const before = flood.answered();
  const { status } = parseAnswer(await askOn(socket, requestOf(honestAddress, path)));
  socket.destroy();
  const meanwhile = flood.answered() - before;
  if (status !== 200) return [`The honest client got status ${status} for ${path}.`];
  return meanwhile <= searchesMeanwhileMax
    ? []
    : [`The honest client waited for ${meanwhile} searches of others until it got ${path}.`];
}

async function attackWith(served: Served, lei: string, options: AttackOptions) {
  const port = Number(new URL(served.url).port);
  const flood = startFlood(port, randomOf(options.seed));
  // The flood has filled the queue.
  while (flood.answered() < addresses && flood.wrong.length === 0) await sleep(20);
  const wrong: string[] = [];
  const startedAt = performance.now();
  for (let round = 0; round < options.rounds; round++) {
    wrong.push(...(await askHonestly(port, `/api/v1/search?q=${words[round % words.length]}`, flood)));
    wrong.push(...(await askHonestly(port, `/api/v1/lei/${lei}`, flood)));
  }
  const ms = Math.round((performance.now() - startedAt) / options.rounds);
  await flood.stop();
  options.say(`${flood.answered()} searches of others, ${flood.refused()} refused; ${ms} ms a round`);
  return { tried: flood.answered() + flood.refused(), wrong: [...wrong, ...flood.wrong] };
}

const run: Attack['run'] = async (options) => {
  const files = join(options.folder, 'files');
  const dataDir = join(options.folder, 'data');
  const made = await generate(
    { entities, seed: options.seed, delta: null, format: 'csv', folder: files },
    () => undefined,
  );
  const companies = made.find(({ name }) => name.includes('lei2'))?.name ?? '';
  await loadHere(dataDir, [join(files, companies)]);
  const settings = {
    LEI_LIMITS: 'enforce',
    LEI_WORKERS: '1',
    // Each front serves its own clients in turn.
    LEI_FRONTS: '1',
    LEI_TRUSTED_PROXIES: '127.0.0.1/32',
  };
  return whileServing(dataDir, settings, async (served) => {
    const { body } = await served.json('/api/v1/search?q=holdings&limit=1');
    const lei = /"lei":"(\w{20})"/.exec(JSON.stringify(body))?.[1] ?? '';
    return attackWith(served, lei, options);
  });
};

export const attack: Attack = { name: 'search-flood', run };
