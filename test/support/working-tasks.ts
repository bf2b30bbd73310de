/** Tasks that turn out as their names say. */
import { readFileSync } from 'node:fs';
import { ExpectedFailure } from '../../src/errors.ts';
import type { CallHandlers, CallingEnd } from '../../src/threads/calls.ts';

export interface TestedTasks {
  give(number: number): number;
  giveLater(number: number): number;
  /** Tells the number before it gives it. */
  tellAndGive(number: number): number;
  refuse(): void;
  read(path: string): void;
  end(): void;
}

export interface TestedNews {
  number(value: number): void;
}

export function workingTasks(news: Pick<CallingEnd<TestedNews>, 'tell'>): CallHandlers<TestedTasks> {
  return {
    give: (number) => number,
    async giveLater(number) {
      await new Promise(setImmediate);
      return number;
    },
    tellAndGive(number) {
      news.tell('number', [number]);
      return number;
    },
    refuse() {
      throw new ExpectedFailure('too-late', 'comes too late');
    },
    read: (path) => void readFileSync(path),
    end: () => process.exit(0),
  };
}
