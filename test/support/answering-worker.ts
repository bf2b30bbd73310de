/** Runs a thread whose tasks say how they turn out. */
import { readFileSync } from 'node:fs';
import { ExpectedFailure } from '../../src/errors.ts';
import { answerTasks } from '../../src/threads/answering-thread.ts';

declare const self: Worker;

export type Turn =
  | { readonly turn: 'answer'; readonly number: number }
  | { readonly turn: 'answer-later'; readonly number: number }
  | { readonly turn: 'no-answer' }
  | { readonly turn: 'news'; readonly number: number }
  | { readonly turn: 'refuse' }
  | { readonly turn: 'read'; readonly path: string }
  | { readonly turn: 'end' };

async function carryOut(task: Turn, tell: (news: number) => void): Promise<Uint8Array | undefined> {
  switch (task.turn) {
    case 'answer':
      return Uint8Array.of(task.number);
    case 'answer-later':
      await new Promise(setImmediate);
      return Uint8Array.of(task.number);
    case 'no-answer':
      return undefined;
    case 'news':
      tell(task.number);
      return Uint8Array.of(task.number);
    case 'refuse':
      throw new ExpectedFailure('too-late', 'comes too late');
    case 'read':
      return Uint8Array.from(readFileSync(task.path));
    case 'end':
      process.exit(0);
  }
}

answerTasks(self, carryOut);
