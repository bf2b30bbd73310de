/** Turns the signals that end a process into an AbortSignal, so that a long command ends in order. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { endingSignals } from '../protocol/ending-signals.ts';

/** Read once, before our own handler changes it. */
const hangupCounts = isHangupHeeded();

const heededSignals = endingSignals.filter((name) => name !== 'SIGHUP' || hangupCounts);

/**
 * Whether a hangup ends this process. `nohup` starts a process with SIGHUP ignored so that it survives its terminal; a
 * handler of ours would undo that. Without /proc no handler is installed, and the system's setting stays.
 */
function isHangupHeeded(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    // One bit for each signal, beginning with number 1.
    return (
      ignored !== undefined && (BigInt(`0x${ignored}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) === 0n
    );
  } catch {
    return false;
  }
}

/**
 * Signals within this time are echoes of the first: npm and Bun forward a signal that the terminal sent to all, within
 * milliseconds. A second signal that somebody sends ends the process, so the time is short.
 */
const echoMsMax = 100;

/**
 * Whether a repeated signal asks for an end at once. A repeated hangup does not: the system and the shell both report
 * one closed terminal.
 */
function isImpatient(signal: (typeof endingSignals)[number], sinceFirstMs: number): boolean {
  return signal !== 'SIGHUP' && sinceFirstMs > echoMsMax;
}

/**
 * Calls `look` at each SIGHUP from now on, which operators send to make a daemon read its files again. Use
 * `onInterrupt` with `hangupEnds` false together with it.
 */
export function onHangup(look: () => void): void {
  process.on('SIGHUP', look);
}

/**
 * Returns an AbortSignal that the first ending signal aborts with `reason`. A later one ends the process at once, with
 * the exit status that shells give to a process ended by a signal. Disposing of the result removes the handlers.
 */
export function onInterrupt(
  reason: Error,
  clock: () => number = () => performance.now(),
  hangupEnds = true,
): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let firstAt: number | null = null;
  const ending = heededSignals.filter((name) => hangupEnds || name !== 'SIGHUP');
  const handlers = ending.map((name) => {
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
    [Symbol.dispose]() {
      for (const remove of handlers) remove();
    },
  };
}
