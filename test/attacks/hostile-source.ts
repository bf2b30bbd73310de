/**
 * Attacks a node through the source that it follows: ids, bases and names that are paths, times that no calendar has or
 * that are far away, bodies without end, dripped or packed to explode, redirects, and in a folder pipes and devices. The
 * node must go on serving what it has, write and delete nothing outside its data folder, stay small, log a few lines of
 * JSON, and stop within seconds. One round plays two tricks.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadHere } from '../support/load-here.ts';
import type { Served } from '../support/serve.ts';
import { generatedFiles } from '../support/two-publications.ts';
import {
  type Attack,
  type AttackOptions,
  type AttackResult,
  pick,
  randomOf,
  whileServing,
} from './attack.ts';

/** A node reads the announcement about once a second. */
const readsPerTrick = 2;
const tricksPerRound = 2;
const stopMsMax = 60_000;
const memoryBytesMax = 600 * 2 ** 20;
const linesPerTrickMax = 30;

const id = '20300101T000000Z-0000000a';
const other = '20300102T000000Z-0000000b';
const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
const soon = () => new Date(Date.now() - 2_000).toISOString().replace(/\.\d+/, '');

/** What the source answers, by path; a function makes a body that is not a text. */
type Answers = Readonly<Record<string, string | (() => Response)>>;

interface Trick {
  readonly name: string;
  /** How often the node reads it; by default twice. */
  readonly reads?: number;
  answers(path: string): Answers;
}

function announcement(changes: object = {}, active: object = {}): string {
  const named = { id, shipment: digest('none'), activatedAt: soon(), deadline: null };
  const plain = { version: 1, generation: 7, next: null, pinned: false, previous: [] };
  return JSON.stringify({ ...plain, active: { ...named, ...active }, ...changes });
}

/** The announcement of a shipment, and the shipment. */
function announced(shipment: object): Answers {
  const text = JSON.stringify({ version: 1, id, base: null, files: [], ...shipment });
  return {
    '/fleet.json': announcement({}, { shipment: digest(text) }),
    [`/publications/${id}.json`]: text,
  };
}

const whole = digest('whole');
const segment = { digest: whole, whole: 1_000, difference: null };
const file = { name: 'manifest.json', bytes: 9, sha256: digest('file'), segments: [segment] };
const fleet = (text: string | (() => Response)): Answers => ({ '/fleet.json': text });

/** A body of which one piece follows the other, without end. */
function endless(piece: Uint8Array, everyMs: number, headers: Readonly<Record<string, string>> = {}) {
  const pull = async (controller: ReadableStreamDefaultController) => {
    if (everyMs > 0) await Bun.sleep(everyMs);
    controller.enqueue(piece);
  };
  return () => new Response(new ReadableStream({ pull }), { headers });
}

const zeros = new Uint8Array(256 * 1024);
const space = new Uint8Array([32]);

const tricks: readonly Trick[] = [
  { name: 'an active id', answers: (path) => fleet(announcement({}, { id: path })) },
  {
    name: 'a next id',
    answers: (path) =>
      fleet(
        announcement({
          next: { id: path, shipment: whole, proposedAt: soon(), deadline: soon() },
          active: null,
        }),
      ),
  },
  {
    name: 'a previous id',
    answers: (path) =>
      fleet(announcement({ previous: [{ id: path, shipment: whole, activatedAt: soon(), deadline: null }] })),
  },
  { name: 'the id of a shipment', answers: (path) => announced({ id: path, files: [file] }) },
  { name: 'the base of a shipment', answers: (path) => announced({ base: path, files: [file] }) },
  { name: 'the file of a shipment', answers: (path) => announced({ files: [{ ...file, name: path }] }) },
  {
    name: 'a file without room',
    answers: () => announced({ files: [{ ...file, bytes: 2 ** 50, segments: [] }] }),
  },
  {
    name: 'a segment of 10 GB',
    answers: () => ({
      ...announced({ files: [{ ...file, segments: [{ ...segment, whole: 1e10 }] }] }),
      [`/objects/${whole.slice(0, 2)}/${whole}.zst`]: endless(zeros, 0),
    }),
  },
  {
    name: 'a segment without end',
    answers: () => ({
      ...announced({ files: [file] }),
      [`/objects/${whole.slice(0, 2)}/${whole}.zst`]: endless(zeros, 0),
    }),
  },
  { name: 'an announcement without end', answers: () => fleet(endless(zeros, 0)) },
  {
    name: 'a packed announcement that explodes',
    answers: () =>
      fleet(() => new Response(gzipSync(Buffer.alloc(2 ** 26)), { headers: { 'content-encoding': 'gzip' } })),
  },
  { name: 'a moment in 25 days', answers: () => fleet(announcement({}, { activatedAt: inDays(25) })) },
  {
    name: 'a moment in 7,000 years',
    answers: () => fleet(announcement({}, { activatedAt: '9999-01-01T00:00:00Z' })),
  },
  { name: 'no moment', answers: () => fleet(announcement({}, { activatedAt: '2026-99-99T99:99:99Z' })) },
  { name: 'a generation of 1e300', answers: () => fleet(announcement({ generation: 1e300 })) },
  { name: 'brackets', answers: () => fleet('['.repeat(60_000)) },
  { name: 'a redirect', answers: () => fleet(() => Response.redirect('http://127.0.0.1:9/')) },
];

const dripped: Trick = {
  name: 'a dripped announcement',
  reads: 1,
  answers: () => fleet(endless(space, 200)),
};

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, '');
}

export const attack: Attack = { name: 'hostile-source', run };

async function run(options: AttackOptions): Promise<AttackResult> {
  const { folder } = options;
  const victim = join(folder, 'victim');
  mkdirSync(victim);
  writeFileSync(join(victim, 'manifest.json'), 'mine');
  const dataDir = join(folder, 'node');
  await loadHere(dataDir, await generatedFiles(join(folder, 'files'), 10));
  const place: Place = { folder, dataDir, before: contentOf(folder, dataDir) };
  const overWeb = await attackOverWeb(options, place);
  const asFolder = await attackAsFolder(place);
  return { tried: overWeb.tried + asFolder.tried, wrong: [...overWeb.wrong, ...asFolder.wrong] };
}

interface Place {
  readonly folder: string;
  readonly dataDir: string;
  /** Of {@link contentOf} before the attack. */
  readonly before: string;
}

/** Everything beside the node's data folder, and its publications. */
function contentOf(folder: string, dataDir: string): string {
  const victim = join(folder, 'victim');
  const own = readFileSync(join(victim, 'manifest.json'), 'utf8');
  const beside = readdirSync(folder).filter((name) => name !== 'source');
  return JSON.stringify([
    beside.sort(),
    readdirSync(victim),
    own,
    readdirSync(join(dataDir, 'publications')),
  ]);
}

/** A web server with the given answers, which counts how often the node reads the announcement. */
function startSource() {
  let answers: Answers = {};
  let reads = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/fleet.json') reads++;
      const answer = answers[pathname];
      if (answer === undefined) return new Response(null, { status: 404 });
      return typeof answer === 'string' ? new Response(answer) : answer();
    },
  });
  return {
    url: server.url.href,
    /** Gives these answers until the node has read the announcement so many times. */
    async play(given: Answers, times: number): Promise<void> {
      answers = given;
      const wanted = reads + times;
      while (reads < wanted) await Bun.sleep(20);
    },
    stop: () => server.stop(true),
  };
}

async function attackOverWeb({ rounds, seed, say }: AttackOptions, place: Place): Promise<AttackResult> {
  const random = randomOf(seed);
  const paths = [
    '../../victim',
    '../victim',
    '..',
    '',
    '/etc',
    `${other}/../../../victim`,
    `${id}\n`,
    'lock.mdb',
  ];
  const source = startSource();
  const plays = Array.from({ length: rounds * tricksPerRound }, () => pick(random, tricks));
  // The node is stopped while it waits for this one.
  const steps = [...plays, dripped].map(({ name, answers, reads = readsPerTrick }) => ({
    name,
    async take() {
      const path = pick(random, paths);
      say(`${name}, ${JSON.stringify(path)}`);
      await source.play(answers(path), reads);
    },
  }));
  const wrong = await attackNode(source.url, place, steps);
  await source.stop();
  return { tried: steps.length, wrong };
}

async function attackAsFolder(place: Place): Promise<AttackResult> {
  const source = join(place.folder, 'source');
  const path = join(source, 'fleet.json');
  mkdirSync(source);
  const kinds = {
    'a device': () => symlinkSync('/dev/zero', path),
    'a folder': () => mkdirSync(path),
    'a pipe': () => execFileSync('mkfifo', [path]),
  };
  const steps = Object.entries(kinds).map(([name, make]) => ({
    name,
    async take() {
      rmSync(path, { recursive: true, force: true });
      make();
      await Bun.sleep(readsPerTrick * 1_000);
    },
  }));
  return { tried: steps.length, wrong: await attackNode(`file://${source}`, place, steps) };
}

interface Step {
  readonly name: string;
  take(): Promise<void>;
}

/** @returns what was wrong after each step, and when the node was stopped after the last */
async function attackNode(source: string, place: Place, steps: readonly Step[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  const stopFrom = await whileServing(place.dataDir, { LEI_PUBLICATION_SOURCE: source }, async (served) => {
    for (const { name, take } of steps) {
      const linesBefore = linesOf(served).length;
      await take();
      for (const fault of await faultsOf(served, place, linesBefore)) wrong.push(`${name}: ${fault}`);
    }
    return performance.now();
  });
  const stopMs = performance.now() - stopFrom;
  if (stopMs > stopMsMax) wrong.push(`The node stopped after ${Math.round(stopMs)} ms.`);
  return wrong;
}

function linesOf(served: Served): readonly string[] {
  return served.log().split('\n').slice(0, -1);
}

async function faultsOf(served: Served, place: Place, linesBefore: number): Promise<readonly string[]> {
  const faults: string[] = [];
  const { status } = await served.get('/api/v1/status');
  if (status !== 200) faults.push(`the status answers ${status}`);
  if (contentOf(place.folder, place.dataDir) !== place.before)
    faults.push(`something was written or deleted: ${contentOf(place.folder, place.dataDir)}`);
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8'))?.[1]);
  if (kilobytes * 1024 > memoryBytesMax) faults.push(`the node has ${kilobytes} kB in memory`);
  const lines = linesOf(served).slice(linesBefore);
  if (lines.length > linesPerTrickMax) faults.push(`${lines.length} lines were logged`);
  const odd = lines.find((line) => !line.startsWith('{'));
  if (odd !== undefined) faults.push(`a line of the log is no JSON: ${odd}`);
  return faults;
}
