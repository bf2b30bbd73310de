/** Lists the signals by which a person or a service manager asks processes to end. */

/** SIGHUP comes when the terminal is closed or its connection is lost. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Whether a process that ended by this signal (null for none) was asked to end. A terminal signals all processes on it,
 * a service manager all of its unit. The parent therefore gets the signal as well, perhaps after it sees its child end.
 */
export function wasToldToEnd(signal: Bun.Subprocess['signalCode']): boolean {
  return endingSignals.some((each) => each === signal);
}
