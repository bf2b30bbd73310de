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

export class ServedFolder {
  readonly paths: Layout = layout(temporaryFolder('publications'));
  readonly log = memoryLog();
  /** The query threads, in the order in which they were started. */
  readonly ports: ThreadPort[] = [];
  /** Steps that happened before threads opened a publication. */
  readonly steps: string[] = [];
  /** The clock of the service. */
  clock = new Date('2026-10-05T12:00:00Z');
  readonly #running: ServicePublications[] = [];
  readonly #pool: QueryThreads = new QueryThreads({
    threads: 2,
    log: this.log,
    spawn: (events) => {
      const url = new URL('../threads/query-worker.ts', import.meta.url).href;
      const port = workerThreads(
        { dataDir: this.ports.length === 0 ? 'first' : 'later', basePath: '' },
        url,
      )(events);
      this.ports.push(port);
      return port;
    },
  });

  /** Makes a data folder with two query threads over it. */
  static async make(): Promise<ServedFolder> {
    const made = new ServedFolder();
    await made.#pool.started;
    return made;
  }

  async close(): Promise<void> {
    for (const publications of this.#running) await publications.stop();
    await this.#pool.end();
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
