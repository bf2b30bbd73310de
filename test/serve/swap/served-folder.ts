/** Serves the publications of a data folder with real query threads, for tests. */
import { type Layout, layout } from '../../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../../src/publication/pointer.ts';
import { ServicePublications } from '../../../src/serve/swap/publications.ts';
import { type ThreadPort, workerThreads } from '../../../src/serve/threads/pool-thread.ts';
import { QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { asking, jsonIn } from '../../support/answers.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { memoryLog } from '../../support/log.ts';
import { plainLeis } from '../threads/query-worker-leis.ts';
import { sealPublication } from './sealed-folder.ts';

export const first = '20261001T000000Z-00000001';
export const second = '20261002T000000Z-00000002';
export const third = '20261003T000000Z-00000003';
export const fourth = '20261004T000000Z-00000004';

const threadCount = 2;
const workerUrl = new URL('../threads/query-worker.ts', import.meta.url).href;

/** Two query threads. The tests of a file use them in turn: starting them costs more than most tests. */
class SharedThreads {
  /** In the order in which they were started. */
  readonly ports: ThreadPort[] = [];
  /** That of the test. */
  log = memoryLog();
  readonly pool = new QueryThreads({
    threads: threadCount,
    log: { error: (message, fields) => this.log.error(message, fields) },
    spawn: (events) => {
      const dataDir = this.ports.length === 0 ? 'first' : 'later';
      const port = workerThreads({ dataDir, basePath: '' }, workerUrl)(events);
      this.ports.push(port);
      return port;
    },
  });
}

/** Those that no test uses. They hold no publication. */
let idle: SharedThreads | null = null;

/** Ends the query threads. To be called after the tests of a file. */
export async function endIdleThreads(): Promise<void> {
  await idle?.pool.end();
  idle = null;
}

export class ServedFolder {
  readonly paths: Layout = layout(temporaryFolder('publications'));
  readonly log = memoryLog();
  /** Steps that happened before threads opened a publication. */
  readonly steps: string[] = [];
  /** The clock of the service. */
  clock = new Date('2026-10-05T12:00:00Z');
  readonly #running: ServicePublications[] = [];
  readonly #threads: SharedThreads;

  private constructor(threads: SharedThreads) {
    this.#threads = threads;
    threads.log = this.log;
  }

  /** Makes a data folder with two query threads over it. */
  static async make(): Promise<ServedFolder> {
    const threads = idle ?? new SharedThreads();
    idle = null;
    await threads.pool.started;
    return new ServedFolder(threads);
  }

  /** The query threads, in the order in which they were started. */
  get ports(): readonly ThreadPort[] {
    return this.#threads.ports;
  }

  get #pool(): QueryThreads {
    return this.#threads.pool;
  }

  async close(): Promise<void> {
    for (const publications of this.#running) await publications.stop();
    // Where one ended, the next tests get others.
    if (this.ports.length > threadCount) return this.#pool.end();
    for (const id of [first, second, third, fourth]) await this.#pool.close(id);
    idle = this.#threads;
  }

  /** Starts a service's publications over the folder. `unsound` gives the finding of an inspection by id. */
  async start(unsound: Readonly<Record<string, string>> = {}, keep = 2): Promise<ServicePublications> {
    const publications = new ServicePublications({
      config: { keepPublications: keep },
      layout: this.paths,
      threads: this.#pool,
      inspect: async (id) => {
        this.steps.push(`inspect ${id}`);
        return unsound[id] ?? null;
      },
      bringIntoMemory: async (id) => this.steps.push(`into memory ${id}`),
      log: this.log,
      now: () => this.clock,
    });
    this.#running.push(publications);
    await publications.start();
    return publications;
  }

  /** Seals and activates a publication, as a command without a running service does. */
  activateOnDisk(id: string, sample = false): void {
    sealPublication(this.paths, id, { sample });
    movePointer(this.paths, id, this.clock, readPointer(this.paths));
  }

  async publicationAnswering(id: string): Promise<string> {
    const answer = await asking(this.#pool)(id, { kind: 'company', lei: plainLeis[0] ?? '' });
    if (answer.outcome === 'found') return jsonIn(answer.data).publication;
    return answer.outcome === 'unavailable' ? answer.reason : answer.outcome;
  }
}
