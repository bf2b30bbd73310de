/**
 * One query thread, apart from the worker that runs it: it holds publications, answers questions, and never decides
 * which publication is the active one.
 */
import { limits } from '../config.ts';
import { placeOf, reasonOf } from '../errors.ts';
import type { AnswerAddress } from '../protocol/answer-record.ts';
import { decodeBatch } from '../protocol/question-batch.ts';
import type { Answer, CompressQuestion } from '../protocol/questions.ts';
import { release } from '../protocol/release.ts';
import type { ThreadCommand, ThreadReport } from '../protocol/thread-messages.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answer } from './answer.ts';
import { compress } from './compress.ts';
import { Desk, type Taken } from './desk.ts';
import { type HeldPublications, holdPublications } from './held-publications.ts';
import { Practice } from './practice.ts';

/** The thread's end of the line to the front. */
export interface ThreadLine {
  /** The next batch of questions (question-batch.ts); null where there is none just now. */
  nextBatch(): string | null;
  /** Hands an answer over; what it holds may be used again afterwards. */
  answer(address: AnswerAddress, answer: Answer): void;
  /** Lets the front know that there are answers. */
  tell(): void;
  report(report: ThreadReport): void;
  /** Ends the thread once everything is closed. */
  end(): void;
}

/** What a thread is told to do beside answering: to listen is the business of whoever runs it. */
export type QueryCommand = Exclude<ThreadCommand, { op: 'listen' }>;

export interface QueryThread {
  /**
   * Answers the quick questions there are, but for a flood of them, and one of the slow ones.
   * @returns whether there may be more
   */
  answerRound(): boolean;
  /** Whether it would be quicker for some practice. */
  mayPractise(): boolean;
  /** Practises for as long as one question takes. */
  practise(): void;
  obey(command: QueryCommand): Promise<void>;
}

/** @param clock milliseconds; never goes back */
export function queryThread(
  open: (id: string) => Promise<PublicationReader>,
  line: ThreadLine,
  clock: () => number = () => performance.now(),
): QueryThread {
  const held = holdPublications(open);
  const desk = new Desk();
  let practice: Practice | null = new Practice();
  /** What callers ask; before they do, what a start opens first, which is the active one. */
  const practised = () => (desk.publicationId === null ? null : held.get(desk.publicationId)) ?? held.first();
  const answerTaken = (taken: Taken, now: number) =>
    line.answer(taken, isPastWaiting(taken, now) ? tooLate : answerSafely(held, taken, line));
  return {
    answerRound() {
      const now = clock();
      takeAll(line, desk, now);
      answerQuick(desk.takeQuick(limits.quickQuestionsPerRoundMax), (taken) => answerTaken(taken, now), line);
      const slow = desk.nextSlow();
      if (slow === null) return desk.hasQuick;
      answerTaken(slow, now);
      line.tell();
      return true;
    },
    mayPractise() {
      const publication = practised();
      return publication !== null && practice !== null && !practice.isOver(publication);
    },
    practise() {
      const publication = practised();
      if (publication === null || practice === null) return;
      try {
        practice.step(publication);
      } catch (error) {
        reportFault(line, error, `in practice: ${practice.question}`);
        // Said once: callers who ask the same will learn of it.
        practice = null;
      }
    },
    async obey(command) {
      // Nothing is asked any more; what was, is answered.
      if (command.op === 'end') while (this.answerRound());
      await obey(command, { held, desk, line, now: clock() });
    },
  };
}

/** Nobody waits any more: to answer all the same would make those too late who can still be answered in time. */
function isPastWaiting({ takenAt }: Taken, now: number): boolean {
  return now - takenAt > limits.questionTimeoutMs;
}

const tooLate: Answer = { outcome: 'unavailable', reason: 'timeout' };

function takeAll(line: ThreadLine, desk: Desk, now: number): void {
  for (let batch = line.nextBatch(); batch !== null; batch = line.nextBatch()) {
    desk.take(decodeBatch(batch), now);
  }
}

/** The front is told every now and then, so that it makes responses of the first while the last are answered. */
function answerQuick(taken: readonly Taken[], answerTaken: (taken: Taken) => void, line: ThreadLine): void {
  let untold = 0;
  for (const each of taken) {
    answerTaken(each);
    if (++untold < limits.answersBeforeTelling) continue;
    line.tell();
    untold = 0;
  }
  if (untold > 0) line.tell();
}

interface ThreadParts {
  readonly held: HeldPublications;
  readonly desk: Desk;
  readonly line: ThreadLine;
  readonly now: number;
}

async function obey(command: QueryCommand, { held, desk, line, now }: ThreadParts): Promise<void> {
  switch (command.op) {
    case 'open': {
      const failure = await held.open(command.id);
      if (failure === null) line.report({ report: 'opened', id: command.id });
      else line.report({ report: 'open-failed', id: command.id, message: failure });
      return;
    }
    case 'close':
      await held.close(command.id);
      line.report({ report: 'closed', id: command.id });
      return;
    case 'ask':
      desk.take(decodeBatch(command.batch), now);
      return;
    case 'compress':
      line.answer({ batch: command.batch, position: 0 }, compressSafely(command.question, line));
      line.tell();
      return;
    case 'end':
      await held.closeAll();
      line.end();
  }
}

/** A bug in one answer must not cost the others theirs. */
function answerSafely(held: HeldPublications, { publicationId, question }: Taken, line: ThreadLine): Answer {
  const publication = held.get(publicationId);
  if (publication === null) return { outcome: 'unavailable', reason: 'publication-gone' };
  try {
    return answer(publication, question);
  } catch (error) {
    reportFault(line, error, JSON.stringify(question));
    return { outcome: 'unavailable', reason: 'failed' };
  }
}

function compressSafely({ coding, body }: CompressQuestion, line: ThreadLine): Answer {
  try {
    const bytes = compress(coding, body);
    release(body);
    return { outcome: 'compressed', bytes };
  } catch (error) {
    reportFault(line, error, `${coding} of ${body.length} bytes`);
    return { outcome: 'unavailable', reason: 'failed' };
  }
}

function reportFault(line: ThreadLine, error: unknown, question: string): void {
  line.report({ report: 'fault', message: reasonOf(error), stack: placeOf(error), question });
}
