/** A log that keeps its lines in memory. */
import type { Log } from '../../src/log/log.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function memoryLog(): Pick<Log, Level> & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: Level) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, message, fields });
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** A log in memory; `next` resolves at the next error line with a given beginning. */
export function heardLog() {
  const log = memoryLog();
  const awaited = new Map<string, () => void>();
  return {
    ...log,
    error(message: string, fields: Readonly<Record<string, unknown>>) {
      log.error(message, fields);
      for (const [start, resolve] of awaited) if (message.startsWith(start)) resolve();
    },
    next: (start: string) => new Promise<void>((resolve) => awaited.set(start, resolve)),
  };
}
