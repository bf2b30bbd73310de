/**
 * One query thread, apart from the worker that runs it: it holds publications, answers batches of questions, and
 * never decides which publication is the active one.
 */
import { limits } from '../config.ts';
import {
  decodeQuestions,
  encodeAnswer,
  joinPart,
  openAnswers,
  type QuestionBatch,
  type TextAnswer,
} from '../protocol/batch.ts';
import type { Question } from '../protocol/questions.ts';
import type { ThreadCommand, ThreadReport } from '../protocol/thread-messages.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answer } from './answer.ts';
import { compress } from './compress.ts';
import { type HeldPublications, holdPublications } from './held-publications.ts';

/** The thread's end of the line to the front. */
export interface ThreadLine {
  post(message: string | ThreadReport, transfer?: ArrayBuffer[]): void;
  /** Ends the thread once everything is closed. */
  end(): void;
}

export interface QueryThread {
  /** Takes a batch of questions (text) or a command. */
  receive(message: string | ThreadCommand): void;
}

export function queryThread(
  open: (id: string) => Promise<PublicationReader>,
  line: ThreadLine,
  now: () => number = performance.now.bind(performance),
): QueryThread {
  const held = holdPublications(open);
  return {
    receive(message) {
      if (typeof message === 'string') answerBatch(decodeQuestions(message), held, line, now);
      else void obey(message, held, line);
    },
  };
}

async function obey(command: ThreadCommand, held: HeldPublications, line: ThreadLine): Promise<void> {
  switch (command.op) {
    case 'open': {
      const failure = await held.open(command.id);
      if (failure === null) line.post({ report: 'opened', id: command.id });
      else line.post({ report: 'open-failed', id: command.id, message: failure });
      return;
    }
    case 'close':
      await held.close(command.id);
      line.post({ report: 'closed', id: command.id });
      return;
    case 'end':
      await held.closeAll();
      line.end();
  }
}

/**
 * Answers the questions in order. Text answers gather into runs; a run is sent when it has grown large, or when
 * answering has taken so long that the first ones should not wait for the rest.
 */
function answerBatch(
  { batch, publicationId, questions }: QuestionBatch,
  held: HeldPublications,
  line: ThreadLine,
  now: () => number,
): void {
  const publication = held.get(publicationId);
  const run = openRun(batch, line);
  let lastSent = now();
  questions.forEach((question, position) => {
    if (question.kind === 'compress') {
      run.send();
      const bytes = compress(question.coding, question.body);
      line.post({ report: 'bytes', batch, position, bytes }, [bytes.buffer]);
      run.skip();
      return;
    }
    run.add(encodeAnswer(answerSafely(publication, question, line)));
    if (isSlowKind(question) && now() - lastSent > limits.answerRunMs) {
      run.send();
      lastSent = now();
    }
  });
  run.send();
}

/** Only these can take long enough for reading the clock to be worth it. */
function isSlowKind(question: Question): boolean {
  return question.kind === 'search' || question.kind === 'relationships';
}

/** A bug in one answer must not cost the others of its batch theirs. */
function answerSafely(
  publication: PublicationReader | null,
  question: Exclude<Question, { kind: 'compress' }>,
  line: ThreadLine,
): TextAnswer {
  if (publication === null) return { outcome: 'unavailable', reason: 'publication-gone' };
  try {
    return answer(publication, question);
  } catch (error) {
    line.post({ report: 'fault', ...describe(error), question: JSON.stringify(question) });
    return { outcome: 'unavailable', reason: 'failed' };
  }
}

function describe(error: unknown): { message: string; stack: string } {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  return { message: error.message, stack: error.stack ?? '' };
}

interface Run {
  add(part: string): void;
  /** Leaves out the next position, whose answer went by another way. */
  skip(): void;
  send(): void;
}

/** Neighbouring answers on their way into one message; a body over the limit gets a message of its own. */
function openRun(batch: number, line: ThreadLine): Run {
  let start = 0;
  let count = 0;
  let text = '';
  const send = () => {
    if (count > 0) line.post(text);
    start += count;
    count = 0;
  };
  return {
    add(part) {
      const large = part.length > limits.batchedBodyCharactersMax;
      if (large || text.length > limits.batchedBodyCharactersMax) send();
      text = joinPart(count === 0 ? openAnswers(batch, start) : text, part);
      count++;
      if (large) send();
    },
    skip() {
      start++;
    },
    send,
  };
}
