/** Signals that somebody sends who wants something to end, and who may send them to each process it consists of. */

/** SIGHUP comes where the terminal is closed or its connection lost. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Whether a process that ended by this signal, or by none (null), was told to. A terminal tells all that run on it, a
 * service manager all of its unit: the one that started this process is told as well, but may not have heard yet.
 */
export function wasToldToEnd(signal: Bun.Subprocess['signalCode']): boolean {
  return endingSignals.some((each) => each === signal);
}
