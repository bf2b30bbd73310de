/** Signals that ask a long command to end. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { endingSignals } from '../protocol/ending-signals.ts';

/** Asked once, before a handler of ours changes what the system tells. */
const hangupCounts = isHangupHeeded();

const heededSignals = endingSignals.filter((name) => name !== 'SIGHUP' || hangupCounts);

/**
 * Whether a hangup is to end this process. It was started with SIGHUP ignored where it is to outlive its terminal, as
 * with `nohup`; a handler would take that back. Where the system does not tell, it is left to do as it was told.
 */
function isHangupHeeded(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    // One bit for each signal, from number 1 on.
    return (
      ignored !== undefined && (BigInt(`0x${ignored}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) === 0n
    );
  } catch {
    return false;
  }
}

/** What comes within this time of the first tells of the same: npm and Bun pass on what a terminal has sent to all. */
const echoMsMax = 500;

/**
 * Whether one that comes after another asks for an end at once. A hangup never does: the system and the shell both tell
 * of one closed terminal.
 */
function isImpatient(signal: (typeof endingSignals)[number], sinceFirstMs: number): boolean {
  return signal !== 'SIGHUP' && sinceFirstMs > echoMsMax;
}

/**
 * A signal that is given with the first such request, with the reason; a later one ends the process at once, as a
 * shell reports one that a signal has ended.
 */
export function onInterrupt(
  reason: Error,
  clock: () => number = () => performance.now(),
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let firstAt: number | null = null;
  const handlers = heededSignals.map((name) => {
    const handler = () => {
      const at = clock();
      firstAt ??= at;
      if (isImpatient(name, at - firstAt)) process.exit(128 + constants.signals[name]);
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
