/**
 * Requests an answer of several megabytes on many connections from many addresses, repeats refused requests, and reads
 * each answer at 256 bytes a second. Other clients must be answered meanwhile, no reader may stay longer than 45
 * seconds, and memory must grow by less than 256 MB (in a control group of 512 MB if possible). One round is one
 * address with forty requests.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { loadHere } from '../support/load-here.ts';
import { memoryGroup, privateBytes } from '../support/memory-group.ts';
import { parentOfMany } from '../support/parent-of-many.ts';
import { hexPort } from '../support/proxies.ts';
import type { Served } from '../support/serve.ts';
import { type Attack, type AttackOptions, below, type Random, randomOf, whileServing } from './attack.ts';

const children = 11_225;
const requestsPerAddress = 40;
const readBytesPerSecond = 256;
const groupBytes = 512 * 1024 * 1024;
const growthBytesMax = 256 * 1024 * 1024;
/** The time after which an almost stalled reader is ended. */
const readerMsMax = 45_000;
/** The short form, with fewer rounds than this, does not wait for that: it ends once each request has had an answer. */
const roundsToTheEnd = 10;
const answeredMsMax = 150_000;
/** The longest that another client may wait. */
const answerMsMax = 30_000;
const askAgainMs = 2_000;
const triesMax = 3;

interface Scene {
  readonly served: Served;
  readonly large: string;
  readonly others: readonly string[];
}

interface Reader {
  readonly socket: Socket;
  /** Its address and port as in the kernel's table; empty before it is connected. */
  end: string;
  /** When the body began; 0 before. */
  startedAt: number;
  head: string;
  /** Refused at least once, or answered with a body. */
  isAnswered: boolean;
}

/** Reads at the attack's pace: waits after each piece as long as its bytes take. Asks again when refused. */
function readSlowly(port: number, localAddress: string, path: string): Reader {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const reader: Reader = { socket, end: '', startedAt: 0, head: '', isAnswered: false };
  const ask = () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: service.test\r\nAccept-Encoding: identity\r\n\r\n`);
  socket.on('connect', () => {
    reader.end = `${hexAddress(localAddress)}:${hexPort(socket.localPort ?? 0)}`;
    ask();
  });
  // The service ends slow readers.
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    if (!reader.head.includes('\r\n\r\n')) reader.head += String(piece);
    // A head may come in parts.
    if (!reader.head.includes('\r\n\r\n')) return;
    reader.isAnswered = true;
    if (reader.head.startsWith('HTTP/1.1 503')) {
      setTimeout(() => {
        reader.head = '';
        ask();
      }, askAgainMs).unref();
      return;
    }
    if (reader.startedAt === 0) reader.startedAt = performance.now();
    socket.pause();
    setTimeout(() => socket.resume(), (piece.length / readBytesPerSecond) * 1_000).unref();
  });
  return reader;
}

/**
 * The fault seen by another client; null if it is answered, at the second or third try at the latest, as the API asks.
 */
async function askOther({ served }: Scene, path: string): Promise<string | null> {
  let fault = '';
  for (let turn = 0; turn < triesMax; turn++) {
    const signal = AbortSignal.timeout(answerMsMax);
    const answer = await served.get(path, { signal, keepalive: false }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return null;
    fault = answer === null ? `no answer within ${answerMsMax} ms` : `status ${answer.status}`;
    await sleep(Number(answer?.headers.get('retry-after') ?? 1) * 1_000);
  }
  return `Another client got ${fault} for ${path}, ${triesMax} times.`;
}

/** A client that reads at once gets the whole list, if necessary after the announced wait. */
async function readAll({ served, large }: Scene): Promise<string[]> {
  for (let turn = 0; turn < triesMax; turn++) {
    const answer = await served.get(large, { headers: { 'Accept-Encoding': 'identity' } });
    if (answer.status === 200) {
      const text = await answer.text();
      const total = /"directChildren":\{"total":(\d+)/.exec(text)?.[1];
      return total === String(children) && text.endsWith('}}')
        ? []
        : [`A reader at full speed got ${text.length} bytes of the list, with ${total} children.`];
    }
    await answer.arrayBuffer();
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
  }
  return [`A client that reads at full speed was refused the list ${triesMax} times.`];
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers to attackers are bodies, or 503 with Retry-After. */
function wrongHeads(readers: readonly Reader[]): string[] {
  return readers.flatMap(({ head }) => {
    if (!head.includes('\r\n\r\n') || head.startsWith('HTTP/1.1 200')) return [];
    const isRefusal = head.startsWith('HTTP/1.1 503') && /\r\nretry-after: \d+/i.test(head);
    return isRefusal ? [] : [`A slow reader was answered ${head.split('\r\n')[0]}, without Retry-After.`];
  });
}

/** The log contains JSON only: a stack trace would be an uncaught error. */
function strangeLines(log: string): string[] {
  const strange = log.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  return strange.slice(0, 3).map((line) => `The log has the line ${line}`);
}

/** The remote ends of the service's connections. A waiting reader does not notice that it was ended. */
function openEnds(port: number): ReadonlySet<string> {
  const established = new RegExp(`^ *\\d+: \\w+:${hexPort(port)} (\\w+:\\w+) 01 `, 'gm');
  const table = readFileSync('/proc/net/tcp', 'utf8');
  return new Set(Array.from(table.matchAll(established), ([, other = '']) => other));
}

/** The table shows the last byte of an address first. */
function hexAddress(address: string): string {
  return Buffer.from(address.split('.').map(Number).reverse()).toString('hex').toUpperCase();
}

function stillReading(readers: readonly Reader[], port: number): number {
  const open = openEnds(port);
  const longest = performance.now() - readerMsMax - 2_000;
  return readers.filter(
    (reader) => reader.head.startsWith('HTTP/1.1 200') && reader.startedAt < longest && open.has(reader.end),
  ).length;
}

/**
 * The requests of one address: each starts as soon as the one before has its answer, so that threads make as many as
 * they can.
 */
async function askInTurn(ask: () => Reader, readers: Reader[]): Promise<void> {
  for (let request = 0; request < requestsPerAddress; request++) {
    const reader = ask();
    readers.push(reader);
    while (!reader.isAnswered && !reader.socket.closed) await sleep(10);
  }
}

interface Attackers {
  readonly readers: Reader[];
  /** Resolves once each request has had an answer. */
  readonly answered: Promise<unknown>;
}

function startReaders({ served, large }: Scene, rounds: number, random: Random): Attackers {
  const port = portOf(served);
  const readers: Reader[] = [];
  const asking = Array.from({ length: rounds }, (_, round) => {
    const address = `127.${1 + below(random, 250)}.${round >> 8}.${round & 255}`;
    return askInTurn(() => readSlowly(port, address, large), readers);
  });
  return { readers, answered: Promise.all(asking) };
}

const portOf = ({ url }: Served) => Number(new URL(url).port);

interface Watched {
  readonly growth: number;
  readonly wrong: readonly string[];
}

/** Asks as other clients do and measures memory, until the time is over or memory has grown too much. */
async function watchOthers(scene: Scene, isOver: () => boolean): Promise<Watched> {
  const { served, others } = scene;
  const wrong: string[] = [];
  const before = privateBytes(served.pid);
  let growth = 0;
  while (growth <= growthBytesMax && !isOver()) {
    const answers = await Promise.all(others.map((path) => askOther(scene, path)));
    wrong.push(...answers.filter((fault) => fault !== null));
    growth = Math.max(growth, privateBytes(served.pid) - before);
    await sleep(50);
  }
  if (growth > growthBytesMax) wrong.push(`Private memory grew by ${Math.round(growth / 1e6)} MB.`);
  return { growth, wrong };
}

async function attackWith(scene: Scene, { rounds, seed, say }: AttackOptions) {
  // One body first, so that the memory it needs does not count as growth.
  const wrong = await readAll(scene);
  const { readers, answered } = startReaders(scene, rounds, randomOf(seed));
  let isAnswered = false;
  void answered.then(() => {
    isAnswered = true;
  });
  const isShort = rounds < roundsToTheEnd;
  const endsAt = performance.now() + (isShort ? answeredMsMax : readerMsMax + 10_000);
  const isOver = () => (isShort && isAnswered) || performance.now() > endsAt;
  const watched = await watchOthers(scene, isOver);
  wrong.push(...watched.wrong);
  const bodies = readers.filter(({ head }) => head.startsWith('HTTP/1.1 200')).length;
  const grownMb = Math.round(watched.growth / 1e6);
  say(`${readers.length} requests, ${bodies} with a body; memory grew by ${grownMb} MB`);
  const stayed = stillReading(readers, portOf(scene.served));
  if (stayed > 0) wrong.push(`${stayed} slow readers stayed for more than ${readerMsMax} ms.`);
  wrong.push(...wrongHeads(readers), ...(await readAll(scene)), ...strangeLines(scene.served.log()));
  for (const { socket } of readers) socket.destroy();
  return { tried: readers.length, wrong };
}

const run: Attack['run'] = async (options) => {
  const { say, folder } = options;
  const dataDir = join(folder, 'data');
  const { parent, loner, files } = await parentOfMany(join(folder, 'files'), children);
  await loadHere(dataDir, files);
  const group = memoryGroup(groupBytes);
  say(group === null ? 'no memory group can be made here' : `in a memory group of ${groupBytes} bytes`);
  const large = `/api/v1/lei/${parent}/relationships`;
  const others = [
    `/api/v1/lei/${loner}`,
    `/api/v1/lei/${loner}/relationships`,
    '/api/v1/search?q=bank',
    '/docs',
  ];
  try {
    return await whileServing(dataDir, { LEI_LIMITS: 'shadow', LEI_WORKERS: '1' }, async (served) => {
      group?.add(served.pid);
      const { tried, wrong } = await attackWith({ served, large, others }, options);
      const kills = group?.kills() ?? 0;
      return { tried, wrong: [...(kills === 0 ? [] : [`The memory was full ${kills} times.`]), ...wrong] };
    });
  } finally {
    group?.remove();
  }
};

export const attack: Attack = { name: 'slow-readers', run };
