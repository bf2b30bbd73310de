/** Measures the event loop of a thread: the lateness of a timer is the loop's lag, and each beat is a sign of life. */
import type { Block } from './blocks.ts';

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

/** @param queued how many questions of this thread no query thread has answered yet */
export function startHeartbeat({ families, cells, beat }: Block, queued: () => number): Heartbeat {
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
