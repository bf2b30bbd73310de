/** Counts what a thread does into its block: an observer, and the signs of life of the thread's event loop. */
import type { Observer, RequestSeen, WorkOutcome } from '../ports/observer.ts';
import {
  bucketBounds,
  histogramCells,
  type MetricFamily,
  type MetricsBlock,
  otherOperation,
  outcomes,
  policies,
  roles,
  statusCount,
  statusMin,
  sumCell,
} from './blocks.ts';

export function meteringObserver({ families, cells }: MetricsBlock): Observer {
  const { requests, requestSeconds, inFlight, limited, unauthorized } = families;
  const add = (cell: number, amount = 1) => {
    cells[cell] = (cells[cell] ?? 0) + amount;
  };
  const observe = (family: MetricFamily, index: number, seconds: number) => {
    const first = family.offset + index * histogramCells;
    add(first + bucketOf(seconds));
    add(first + sumCell, seconds);
  };
  const operationIndex = indexOf(requests.labels[0]?.values ?? []);
  const kindIndex = indexOf(families.answerSeconds.labels[0]?.values ?? []);
  const unlisted = operationIndex.get(otherOperation) ?? 0;
  const refused = (seen: RequestSeen) => {
    if (seen.status === 401) add(unauthorized.offset);
    for (const policy of seen.violatedPolicies) add(limited.offset + policies.indexOf(policy));
  };
  return {
    watchesRequests: true,
    watchesQuestions: true,
    arrived: () => add(inFlight.offset),
    request(seen) {
      const { status } = seen;
      const index = operationIndex.get(seen.operation) ?? unlisted;
      add(inFlight.offset, -1);
      add(requests.offset + index * statusCount + status - statusMin);
      observe(requestSeconds, index, seen.durationMs / 1_000);
      if (status === 401 || status === 429) refused(seen);
    },
    question(kind, waitMs, answerMs) {
      const index = kindIndex.get(kind);
      if (index === undefined) return;
      observe(families.answerSeconds, index, answerMs / 1_000);
      observe(families.waitSeconds, index, waitMs / 1_000);
    },
    swap: (outcome: WorkOutcome) => add(families.swaps.offset + outcomes.indexOf(outcome)),
    load: (outcome: WorkOutcome) => add(families.loads.offset + outcomes.indexOf(outcome)),
    threadEnded: (role) => add(families.restarts.offset + roles.indexOf(role)),
  };
}

function indexOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, index) => [value, index]));
}

/** Most answers take less than the first bound. */
function bucketOf(seconds: number): number {
  let bucket = 0;
  for (const bound of bucketBounds) {
    if (seconds <= bound) break;
    bucket++;
  }
  return bucket;
}

const beatLimits = {
  everyMs: 500,
  /** The shown lag is the worst of this many beats: 15 seconds, in which Prometheus usually asks once. */
  rememberedBeats: 30,
} as const;

interface Heartbeat {
  /** Also beats now, so that the next reading is current. */
  now(): void;
  stop(): void;
}

/**
 * Measures the event loop of a thread: the lateness of a timer is the loop's lag, and each beat is a sign of life.
 * @param queued how many questions of this thread no query thread has answered yet
 */
export function startHeartbeat({ families, cells, beat }: MetricsBlock, queued: () => number): Heartbeat {
  const lags = new Float64Array(beatLimits.rememberedBeats);
  let beats = 0;
  let expectedAt = performance.now() + beatLimits.everyMs;
  const sample = () => {
    beat[0] = Date.now();
    cells[families.queue.offset] = queued();
    cells[families.lag.offset] = Math.max(...lags, lagMs()) / 1_000;
  };
  const lagMs = () => Math.max(0, performance.now() - expectedAt);
  const timer = setInterval(() => {
    lags[beats++ % lags.length] = lagMs();
    expectedAt = performance.now() + beatLimits.everyMs;
    sample();
  }, beatLimits.everyMs);
  timer.unref();
  sample();
  return { now: sample, stop: () => clearInterval(timer) };
}
