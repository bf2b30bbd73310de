/**
 * Activates two publications in turn while honest clients ask and hostile ones send fuzzed requests: no honest request
 * may fail, and each answer must be, byte for byte, what its publication answers when nothing else happens. One round
 * is ten activations.
 */
import { join } from 'node:path';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import type { Served } from '../support/serve.ts';
import { loadTwoPublications } from '../support/two-publications.ts';
import {
  type Attack,
  type AttackOptions,
  type AttackResult,
  pick,
  type Random,
  randomOf,
  whileServing,
} from './attack.ts';
import { hostileRequest, send } from './requests.ts';

const swapsPerRound = 10;
const entities = 300;
const honestClients = 6;
const hostileClients = 4;
const searches = ['bank', 'holding', 'fund', 'capital', 'limited', 'gmbh', 'international', 'group'];

interface Answer {
  readonly status: number;
  readonly tag: string | null;
  readonly body: string;
}

/** The answers of each publication to all paths when it alone is served, by its id. */
type Snapshots = ReadonlyMap<string, ReadonlyMap<string, Answer>>;

async function ask(served: Served, path: string, tag: string | null = null): Promise<Answer> {
  const response = await served.get(path, tag === null ? {} : { headers: { 'If-None-Match': tag } });
  return { status: response.status, tag: response.headers.get('etag'), body: await response.text() };
}

/** Searches, and the look-ups of the companies that they find. */
async function pathsOf(served: Served): Promise<string[]> {
  const ofSearches = searches.map((word) => `/api/v1/search?q=${word}&limit=5`);
  const bodies = await Promise.all(ofSearches.map(async (path) => (await ask(served, path)).body));
  const leis = new Set(
    bodies.flatMap((body) => [...body.matchAll(/"lei":"(\w{20})"/g)].map(([, lei]) => lei)),
  );
  const ofCompanies = [...leis].flatMap((lei) =>
    ['', '/relationships', '/changes'].map((part) => `/api/v1/lei/${lei}${part}`),
  );
  return [...ofSearches, ...ofCompanies];
}

async function activate(dataDir: string, id: string): Promise<string[]> {
  const reply = await controlClient(layout(dataDir)).send({ op: 'activate', id });
  const isDone = reply !== 'not-running' && reply.ok;
  return isDone ? [] : [`The activation of ${id} failed: ${JSON.stringify(reply)}`];
}

async function takeSnapshots(served: Served, dataDir: string, ids: readonly string[]): Promise<Snapshots> {
  const paths = await pathsOf(served);
  const snapshots = new Map<string, ReadonlyMap<string, Answer>>();
  for (const id of ids) {
    const [fault] = await activate(dataDir, id);
    if (fault !== undefined) throw new Error(fault);
    const answers = new Map<string, Answer>();
    for (const path of paths) answers.set(path, await ask(served, path));
    snapshots.set(id, answers);
  }
  return snapshots;
}

/** Null if an answer belongs to one publication. */
function faultOf(snapshots: Snapshots, path: string, answer: Answer): string | null {
  const known = [...snapshots.values()].flatMap((answers) => answers.get(path) ?? []);
  const isKnown = known.some(({ status, tag, body }) => {
    if (answer.status === 304) return tag === answer.tag;
    // A problem contains the id of its own request.
    return status === answer.status && (status !== 200 || (tag === answer.tag && body === answer.body));
  });
  return isKnown ? null : `${path}: ${answer.status} ${answer.tag} ${answer.body.slice(0, 200)}`;
}

interface Traffic {
  readonly served: Served;
  readonly snapshots: Snapshots;
  readonly random: Random;
  readonly isOver: () => boolean;
}

/** @returns the number of answers, and the faults in them */
async function askUntilOver({ served, snapshots, random, isOver }: Traffic): Promise<AttackResult> {
  const paths = [...(snapshots.values().next().value?.keys() ?? [])];
  const wrong: string[] = [];
  const tags = new Map<string, string | null>();
  let tried = 0;
  for (; !isOver(); tried++) {
    const path = pick(random, paths);
    const tag = random() < 0.2 ? (tags.get(path) ?? null) : null;
    const answer = await ask(served, path, tag).catch((error: unknown) => String(error));
    const fault = typeof answer === 'string' ? `${path}: ${answer}` : faultOf(snapshots, path, answer);
    if (fault !== null) wrong.push(`An honest client got ${fault}`);
    else if (typeof answer !== 'string') tags.set(path, answer.tag);
  }
  return { tried, wrong };
}

async function disturbUntilOver({ served, random, isOver }: Traffic): Promise<void> {
  const port = Number(new URL(served.url).port);
  while (!isOver()) await send(port, hostileRequest(random));
}

async function attackSwaps(
  dataDir: string,
  ids: readonly string[],
  served: Served,
  { rounds, seed, say }: AttackOptions,
): Promise<AttackResult> {
  const random = randomOf(seed);
  const snapshots = await takeSnapshots(served, dataDir, ids);
  let over = false;
  const traffic = { served, snapshots, random, isOver: () => over };
  const honest = Array.from({ length: honestClients }, () => askUntilOver(traffic));
  const hostile = Array.from({ length: hostileClients }, () => disturbUntilOver(traffic));
  const swaps = rounds * swapsPerRound;
  const wrong: string[] = [];
  for (let swap = 0; swap < swaps; swap++) {
    wrong.push(...(await activate(dataDir, ids[swap % ids.length] ?? '')));
    // Some follow each other at once.
    if (random() < 0.7) await Bun.sleep(random() * 100);
  }
  over = true;
  const results = await Promise.all(honest);
  await Promise.all(hostile);
  const answers = results.reduce((sum, { tried }) => sum + tried, 0);
  say(`${swaps} activations, ${answers} answers to honest clients beside hostile ones`);
  return { tried: swaps, wrong: [...wrong, ...results.flatMap((result) => result.wrong)] };
}

const run: Attack['run'] = async (options) => {
  const dataDir = join(options.folder, 'data');
  const ids = await loadTwoPublications(options.folder, dataDir, entities);
  return whileServing(dataDir, { LEI_WORKERS: '2' }, (served) => attackSwaps(dataDir, ids, served, options));
};

export const attack: Attack = { name: 'swaps', run };
