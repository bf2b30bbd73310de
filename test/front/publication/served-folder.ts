/** The publications of a service over a data folder and real query threads; what the tests of publications share. */
import { afterEach, beforeEach } from 'bun:test';
import { createPublications, type ServicePublications } from '../../../src/front/publication/publications.ts';
import { createQueryPool, type QueryThreads } from '../../../src/front/threads/query-pool.ts';
import { type ThreadPort, workerThreads } from '../../../src/front/threads/thread-port.ts';
import { type Layout, layout } from '../../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../../src/publication/pointer.ts';
import { asking, jsonIn } from '../../support/answers.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { memoryLog } from '../../support/log.ts';
import { plainLeis } from '../threads/query-worker-leis.ts';
import { sealPublication } from './sealed-folder.ts';

export const first = '20261001T000000Z-00000001';
export const second = '20261002T000000Z-00000002';
export const third = '20261003T000000Z-00000003';
export const fourth = '20261004T000000Z-00000004';
export const lei = plainLeis[0] ?? '';

export let paths: Layout;
export let pool: QueryThreads;
export let ports: ThreadPort[];
export let clock: Date;
export let log: ReturnType<typeof memoryLog>;
let running: ServicePublications[];
/** What was done with publications before threads opened them. */
export let steps: string[];

/** For each test of the file that calls this: a data folder, two query threads over it, and a clock. */
export function eachOverItsOwnFolder(): void {
  beforeEach(async () => {
    paths = layout(temporaryFolder('publications'));
    ports = [];
    running = [];
    steps = [];
    clock = new Date('2026-10-05T12:00:00Z');
    log = memoryLog();
    pool = createQueryPool({
      threads: 2,
      log,
      spawn(events) {
        const url = new URL('../threads/query-worker.ts', import.meta.url).href;
        const port = workerThreads(ports.length === 0 ? 'first' : 'later', url)(events);
        ports.push(port);
        return port;
      },
    });
    await pool.started;
  });
  afterEach(async () => {
    for (const publications of running) await publications.stop();
    await pool.end();
  });
}

/** What the clock of the service shows from now on. */
export function setClock(moment: Date): void {
  clock = moment;
}

/** A service's publications over the folder, started. What `unsound` holds is what an inspection would find. */
export async function start(
  unsound: Readonly<Record<string, string>> = {},
  keep = 2,
): Promise<ServicePublications> {
  const publications = createPublications({
    config: { keepPublications: keep },
    layout: paths,
    threads: pool,
    inspect: async (id) => {
      steps.push(`inspect ${id}`);
      return unsound[id] ?? null;
    },
    bringIntoMemory: async (id) => steps.push(`into memory ${id}`),
    log,
    now: () => clock,
  });
  running.push(publications);
  await publications.start();
  return publications;
}

/** Seals and activates, as a command without a running service does. */
export function activateOnDisk(id: string, sample = false): void {
  sealPublication(paths, id, { sample });
  movePointer(paths, id, clock, readPointer(paths));
}

export async function publicationAnswering(id: string): Promise<string> {
  const answer = await asking(pool)(id, { kind: 'company', lei });
  if (answer.outcome === 'found') return jsonIn(answer.data).publication;
  return answer.outcome === 'unavailable' ? answer.reason : answer.outcome;
}
