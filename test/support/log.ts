/** A log that keeps what was written. */
import type { Log } from '../../src/front/contracts.ts';

export interface LogLine {
  readonly level: keyof Log;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function memoryLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const write = (level: keyof Log) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
