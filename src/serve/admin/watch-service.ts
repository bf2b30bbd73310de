/**
 * Watches a running service for its operator: counts what its threads do, and answers at the admin address: `/livez` (is
 * the service alive), `/readyz` (is it ready) and `/metrics`. Nothing is counted without that address.
 */
import type { Config } from '../../config.ts';
import {
  beatsOf,
  blockOf,
  createMetricsMemory,
  type LabelNames,
  type MetricsMemory,
} from '../../metrics/blocks.ts';
import { meteringObserver, startHeartbeat } from '../../metrics/meter.ts';
import { metricsContentType, metricsText } from '../../metrics/text.ts';
import type { Following } from '../../ports/fleet.ts';
import { nobody, type Observer } from '../../ports/observer.ts';
import { processReadings, type ServiceFacts, serviceReadings } from './readings.ts';
import { type AdminPage, plainText, startAdminServer } from './server.ts';

type RunningFacts = Omit<ServiceFacts, 'ready' | 'version' | 'following'>;

/** The parts of a running service that are watched. */
interface RunningParts {
  readonly facts: () => RunningFacts;
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
  serving(parts: RunningParts): void;
  /** The service is told to stop: it is no longer ready. */
  stopping(): void;
  stop(): Promise<void>;
}

interface WatchParts {
  readonly config: Pick<Config, 'admin' | 'workers'>;
  readonly names: LabelNames;
  /** The main thread first. */
  readonly threads: readonly string[];
  readonly version: string;
}

/** @throws the system's error if the admin address can't be used */
export async function watchService({ config, names, threads, version }: WatchParts): Promise<ServiceWatch> {
  if (config.admin === null) return unwatched;
  const memory = createMetricsMemory(names, threads);
  const block = blockOf(memory, threads[0] ?? '');
  let watched: RunningParts | null = null;
  let isStopping = false;
  const heartbeat = startHeartbeat(block, () => watched?.queued() ?? 0);
  const unready = () => (isStopping ? ['The service is stopping.'] : unreadyReasons(watched, config.workers));
  const facts = (): ServiceFacts => ({
    ...(watched?.facts() ?? nothingYet),
    following: watched?.following?.facts() ?? null,
    version,
    ready: unready().length === 0,
  });
  const metrics = (): AdminPage => {
    heartbeat.now();
    const readings = [...serviceReadings(facts()), ...processReadings(performance.timeOrigin)];
    return { status: 200, contentType: metricsContentType, body: metricsText(memory, readings) };
  };
  const pages = new Map([
    ['/livez', () => livePage(beatsOf(memory), Date.now())],
    ['/readyz', () => probePage(unready())],
    ['/metrics', metrics],
  ]);
  const server = await startAdminServer(config.admin, pages).catch((error: unknown) => {
    heartbeat.stop();
    throw error;
  });
  return {
    observer: meteringObserver(block),
    memory,
    address: server.address,
    serving(parts) {
      watched = parts;
    },
    stopping() {
      isStopping = true;
    },
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

/** Why the service should get no requests; empty if it should get them. Old data is not a reason. */
function unreadyReasons(watched: RunningParts | null, workers: number): readonly string[] {
  if (watched === null) return ['The service is starting.'];
  const behind = watched.following?.unready() ?? null;
  const reasons: string[] = behind === null ? [] : [behind];
  if (watched.facts().publication === null) reasons.push('No publication is active.');
  const available = watched.available();
  if (available < workers)
    reasons.push(`Only ${available} of ${workers} query threads have the active publication open.`);
  return reasons;
}

const nothingYet: RunningFacts = {
  publication: null,
  diskFreeBytes: null,
  damagedPublications: 0,
  checkedAt: null,
  threads: {},
  updatedAt: null,
  ledgerCallers: 0,
  ledgerSavedAt: null,
  certificateEndsAt: null,
  store: null,
};

/** A thread without a sign of life for this long is stuck. */
const beatMsMax = 5_000;

interface Beat {
  readonly thread: string;
  /** The last sign of life, epoch milliseconds. */
  readonly at: number;
}

/** A line for each thread that is stuck. */
export function livePage(beats: readonly Beat[], now: number): AdminPage {
  return probePage(
    beats
      .filter(({ at }) => now - at > beatMsMax)
      .map(({ thread, at }) => `${thread}: no answer for ${((now - at) / 1_000).toFixed(1)} s`),
  );
}

/** 200 `ok`, or 503 with a line for each fault. */
export function probePage(faults: readonly string[]): AdminPage {
  const healthy = faults.length === 0;
  const lines = healthy ? ['ok'] : faults;
  return { status: healthy ? 200 : 503, contentType: plainText, body: `${lines.join('\n')}\n` };
}
