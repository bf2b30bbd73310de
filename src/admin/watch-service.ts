/**
 * Watches a running service for its operator: counts what its threads do, and answers at the admin address. Nothing is
 * counted without that address.
 */
import type { Config } from '../config.ts';
import { blockOf, createMetricsMemory, type MetricsMemory } from '../metrics/blocks.ts';
import type { Names } from '../metrics/families.ts';
import { startHeartbeat } from '../metrics/heartbeat.ts';
import { meteringObserver } from '../metrics/meter.ts';
import type { Following } from '../ports/following.ts';
import { nobody, type Observer } from '../ports/observer.ts';
import { startAdmin } from './admin.ts';
import type { ServiceFacts } from './readings.ts';

/** The parts of a running service that are watched. */
interface Watched {
  readonly facts: () => Omit<ServiceFacts, 'ready' | 'version' | 'following'>;
  /** Follows announcements; null without LEI_PUBLICATION_SOURCE. */
  readonly following: Pick<Following, 'unready' | 'facts'> | null;
  /** How many query threads can be asked: those that have every served publication open. */
  readonly available: () => number;
  /** Questions that no query thread has answered yet. */
  readonly queued: () => number;
}

export interface ServiceWatch {
  /** Counts what the main thread does. */
  readonly observer: Observer;
  /** The counters of the front threads; null if nothing is counted. */
  readonly memory: MetricsMemory | null;
  /** The address of the admin server; null for none. */
  readonly address: string | null;
  /** The service answers from now on. */
  serving(parts: Watched): void;
  /** The service is told to stop: it is no longer ready. */
  stopping(): void;
  stop(): Promise<void>;
}

interface Parts {
  readonly config: Pick<Config, 'admin' | 'workers'>;
  readonly names: Names;
  /** The main thread first. */
  readonly threads: readonly string[];
  readonly version: string;
}

/** @throws the system's error if the admin address can't be used */
export async function watchService({ config, names, threads, version }: Parts): Promise<ServiceWatch> {
  if (config.admin === null) return unwatched;
  const memory = createMetricsMemory(names, threads);
  const block = blockOf(memory, threads[0] ?? '');
  const subject = new Subject(config.workers, version);
  const heartbeat = startHeartbeat(block, () => subject.queued());
  const server = await startAdmin({
    address: config.admin,
    memory,
    beat: heartbeat.now,
    unready: () => subject.unready(),
    facts: () => subject.facts(),
    startedAt: performance.timeOrigin,
  }).catch((error: unknown) => {
    heartbeat.stop();
    throw error;
  });
  return {
    observer: meteringObserver(block),
    memory,
    address: server.address,
    serving: (parts) => subject.serving(parts),
    stopping: () => subject.stopping(),
    stop() {
      heartbeat.stop();
      return server.stop();
    },
  };
}

const unwatched: ServiceWatch = {
  observer: nobody,
  memory: null,
  address: null,
  serving: () => {},
  stopping: () => {},
  stop: async () => {},
};

/** The service as the admin server sees it: starting, serving or stopping. */
class Subject {
  readonly #workers: number;
  readonly #version: string;
  #parts: Watched | null = null;
  #stopping = false;

  constructor(workers: number, version: string) {
    this.#workers = workers;
    this.#version = version;
  }

  serving(parts: Watched): void {
    this.#parts = parts;
  }

  stopping(): void {
    this.#stopping = true;
  }

  queued(): number {
    return this.#parts?.queued() ?? 0;
  }

  /** Why it should get no requests. Old data is not a reason. */
  unready(): readonly string[] {
    if (this.#stopping) return ['The service is stopping.'];
    if (this.#parts === null) return ['The service is starting.'];
    const behind = this.#parts.following?.unready() ?? null;
    const reasons: string[] = behind === null ? [] : [behind];
    if (this.#parts.facts().publication === null) reasons.push('No publication is active.');
    const available = this.#parts.available();
    if (available < this.#workers)
      reasons.push(`Only ${available} of ${this.#workers} query threads have the active publication open.`);
    return reasons;
  }

  facts(): ServiceFacts {
    const known = this.#parts?.facts() ?? nothingYet;
    const following = this.#parts?.following?.facts() ?? null;
    return { ...known, following, version: this.#version, ready: this.unready().length === 0 };
  }
}

const nothingYet: Omit<ServiceFacts, 'ready' | 'version' | 'following'> = {
  publication: null,
  threads: {},
  updatedAt: null,
  ledgerCallers: 0,
  ledgerSavedAt: null,
  certificateEndsAt: null,
  store: null,
};
