/** Reads the tables that stand as text files beside the code. */
import { readFileSync } from 'node:fs';

/**
 * The lines of a table. Call it at the first use: as an imported text, a table is made a module at the start of every
 * thread and process, which costs a hundred times as much and is seldom needed.
 */
export function tableLines(file: URL): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
