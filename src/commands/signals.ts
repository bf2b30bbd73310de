/** Signals that ask a long command to end. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal that is given with the first such request, with the reason; the second ends the process at once, as a
 * shell reports one that a signal has ended.
 */
export function onInterrupt(reason: Error): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const handlers = signals.map((name) => {
    const handler = () => {
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      controller.abort(reason);
    };
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const remove of handlers) remove();
    },
  };
}
