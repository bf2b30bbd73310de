/**
 * Asks for an answer of megabytes on many connections of many addresses, again where it is refused, and reads each at
 * 256 bytes a second. Other clients must be answered all the while, the memory must grow by less than 256 MB, in a group of
 * 512 MB where one can be made, and no reader may stay for longer than 45 seconds. One round is one address with forty
 * requests. Alone: `sh src/with-bun.sh test/attacks/slow-readers.ts --rounds N --seed S`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryGroup, privateBytes } from '../support/memory-group.ts';
import { parentOfMany } from '../support/parent-of-many.ts';
import { runLei } from '../support/run-lei.ts';
import { type Served, serve } from '../support/serve.ts';
import { type Attack, type AttackResult, randomOf, runAlone } from './attack.ts';

const children = 11_225;
const requestsPerAddress = 40;
const readBytesPerSecond = 256;
const groupBytes = 512 * 1024 * 1024;
const growthBytesMax = 256 * 1024 * 1024;
/** A reader that takes next to nothing is ended within this time. */
const readerMsMax = 45_000;
/** The short form, of less than this many rounds, does not wait for that. */
const roundsToTheEnd = 10;
const shortMs = 6_000;
/** What another client waits at most. */
const answerMsMax = 10_000;
const askAgainMs = 2_000;
const triesMax = 3;

interface Scene {
  readonly served: Served;
  readonly large: string;
  readonly others: readonly string[];
}

interface Reader {
  readonly socket: Socket;
  /** Its own; 0 before it is connected. */
  port: number;
  /** When the body began; 0 before. */
  startedAt: number;
  head: string;
}

/** Reads at the pace of the attack: waits after each piece for as long as so many bytes take. Refused, it asks again. */
function readSlowly(port: number, localAddress: string, path: string): Reader {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const reader: Reader = { socket, port: 0, startedAt: 0, head: '' };
  const ask = () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: service.test\r\nAccept-Encoding: identity\r\n\r\n`);
  socket.on('connect', () => {
    reader.port = socket.localPort ?? 0;
    ask();
  });
  // The service ends slow readers.
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    if (!reader.head.includes('\r\n\r\n')) reader.head += String(piece);
    // A head may come in parts.
    if (!reader.head.includes('\r\n\r\n')) return;
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

/** What another client lacks; null where it is answered, if need be at the second or third try, as the API asks of it. */
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

/** A client that reads at once gets the whole list, if need be after the time that it is told to wait. */
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

/** Answers to attackers are bodies, or 503 that say when to come back. */
function wrongHeads(readers: readonly Reader[]): string[] {
  return readers.flatMap(({ head }) => {
    if (!head.includes('\r\n\r\n') || head.startsWith('HTTP/1.1 200')) return [];
    const isRefusal = head.startsWith('HTTP/1.1 503') && /\r\nretry-after: \d+/i.test(head);
    return isRefusal ? [] : [`A slow reader was answered ${head.split('\r\n')[0]}, without Retry-After.`];
  });
}

/** The log holds JSON alone: a trace among it would be an error that nobody caught. */
function strangeLines(log: string): string[] {
  const strange = log.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  return strange.slice(0, 3).map((line) => `The log has the line ${line}`);
}

/** The service's connections by the other end's port. A reader that waits does not notice that it was ended. */
function openPorts(port: number): ReadonlySet<number> {
  const established = new RegExp(`^ *\\d+: \\w+:${hexPort(port)} \\w+:(\\w+) 01 `, 'gm');
  const table = readFileSync('/proc/net/tcp', 'utf8');
  return new Set(Array.from(table.matchAll(established), ([, other = '']) => Number.parseInt(other, 16)));
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function stillReading(readers: readonly Reader[], port: number): number {
  const open = openPorts(port);
  const longest = performance.now() - readerMsMax - 2_000;
  return readers.filter(
    (reader) => reader.head.startsWith('HTTP/1.1 200') && reader.startedAt < longest && open.has(reader.port),
  ).length;
}

/** The requests of one address: each as soon as the one before has its answer, so that threads make as many as they can. */
async function askInTurn(ask: () => Reader, readers: Reader[]): Promise<void> {
  for (let request = 0; request < requestsPerAddress; request++) {
    const reader = ask();
    readers.push(reader);
    while (reader.head === '' && !reader.socket.closed) await sleep(10);
  }
}

async function attackWith(scene: Scene, rounds: number, random: () => number, say: (line: string) => void) {
  const { served, large, others } = scene;
  const port = Number(new URL(served.url).port);
  // One body before, so that what it needs is not counted as growth.
  const wrong = await readAll(scene);
  const before = privateBytes(served.pid);
  let most = before;
  const readers: Reader[] = [];
  const addresses = Array.from(
    { length: rounds },
    (_, round) => `127.${1 + Math.floor(random() * 250)}.${round >> 8}.${round & 255}`,
  );
  for (const address of addresses) void askInTurn(() => readSlowly(port, address, large), readers);
  const endsAt = performance.now() + (rounds < roundsToTheEnd ? shortMs : readerMsMax + 10_000);
  while (performance.now() < endsAt) {
    const answers = await Promise.all(others.map((path) => askOther(scene, path)));
    wrong.push(...answers.filter((fault) => fault !== null));
    most = Math.max(most, privateBytes(served.pid));
    await sleep(50);
  }
  const growth = most - before;
  const bodies = readers.filter(({ head }) => head.startsWith('HTTP/1.1 200')).length;
  say(`${readers.length} requests, ${bodies} with a body; memory grew by ${Math.round(growth / 1e6)} MB`);
  if (growth > growthBytesMax) wrong.push(`Private memory grew by ${Math.round(growth / 1e6)} MB.`);
  const stayed = stillReading(readers, port);
  if (stayed > 0) wrong.push(`${stayed} slow readers stayed for more than ${readerMsMax} ms.`);
  wrong.push(...wrongHeads(readers), ...(await readAll(scene)), ...strangeLines(served.log()));
  for (const { socket } of readers) socket.destroy();
  return { tried: readers.length, wrong };
}

async function run({ rounds, seed, say }: Parameters<Attack['run']>[0]): Promise<AttackResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lei-attack-slow-readers-'));
  const dataDir = join(folder, 'data');
  const { parent, loner, files } = await parentOfMany(join(folder, 'files'), children);
  const loaded = await runLei(dataDir, 'load', ...files);
  if (loaded.code !== 0) throw new Error(loaded.stderr);
  const served = await serve(dataDir, { LEI_LIMITS: 'shadow', LEI_WORKERS: '1' });
  const group = memoryGroup(groupBytes);
  say(group === null ? 'no memory group can be made here' : `in a memory group of ${groupBytes} bytes`);
  try {
    group?.add(served.pid);
    const scene = {
      served,
      large: `/api/v1/lei/${parent}/relationships`,
      others: [
        `/api/v1/lei/${loner}`,
        `/api/v1/lei/${loner}/relationships`,
        '/api/v1/search?q=bank',
        '/docs',
      ],
    };
    const result = await attackWith(scene, rounds, randomOf(seed), say);
    const kills = group?.kills() ?? 0;
    return kills === 0
      ? result
      : { ...result, wrong: [`The memory was full ${kills} times.`, ...result.wrong] };
  } finally {
    served.kill('SIGTERM');
    await served.exited;
    group?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const attack: Attack = { name: 'slow-readers', run };

if (import.meta.main) await runAlone(attack);
