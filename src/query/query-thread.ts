/**
 * Implements one query thread, without the worker that runs it: it holds publications and answers questions. The front
 * decides which publication is the active one.
 */

import { lineLimits } from '../dispatch/limits.ts';
import type { AnsweringEnd, LineCommand } from '../dispatch/line.ts';
import type { QueryNews } from '../dispatch/query-threads.ts';
import { DamagedFile, placeOf, reasonOf } from '../errors.ts';
import { freeMemory } from '../protocol/json-bytes.ts';
import { type Answer, type CompressQuestion, decodeBatch, type TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { CallFailure } from '../threads/calls.ts';
import { answerQuestion, beginAnswer } from './answer-question.ts';
import { compress } from './answers.ts';
import type { HandOn } from './batch.ts';
import { Desk, type SlowQuestion, type TakenQuestion } from './desk.ts';
import { type HeldPublications, holdPublications } from './held-publications.ts';
import { queryLimits } from './limits.ts';
import { Practice } from './practice.ts';

/** The thread's end of a line to a front. */
export type AnswerLine = Pick<AnsweringEnd, 'nextBatch' | 'answer' | 'part' | 'tell'>;

export interface QueryThread {
  /**
   * Answers the quick questions there are, up to a limit, and gives one slow question a turn.
   * @returns whether there may be more questions
   */
  answerRound(): boolean;
  /** Whether practice would make the thread faster. */
  mayPractise(): boolean;
  /** Answers one question of practice. */
  practise(): void;
  /** Opens a sealed publication and warms it. Null on success; otherwise why not. */
  open(id: string): Promise<CallFailure>;
  close(id: string): Promise<void>;
  /** Answers the questions that have already arrived, and closes everything. */
  end(): Promise<void>;
  /** Receives questions that a front has posted beside its line. */
  receive(command: LineCommand, from: AnswerLine): void;
  /** Answers a further front from now on. */
  join(line: AnswerLine): void;
  /** Forgets a front that has ended, and its questions. */
  leave(line: AnswerLine): void;
  /** The questions that were taken and not answered yet. */
  readonly waiting: { readonly quick: number; readonly slow: number };
}

interface QueryThreadOptions {
  /** Whether to measure how long each answer takes. */
  readonly timed?: boolean;
  /** Milliseconds; never goes back. */
  readonly clock?: () => number;
}

/** @param main the line to the main thread, which is also a front if there is no other */
export function queryThread(
  open: (id: string) => Promise<PublicationReader>,
  main: AnswerLine,
  news: QueryNews,
  { timed = false, clock = () => performance.now() }: QueryThreadOptions = {},
): QueryThread {
  const held = holdPublications(open);
  const desk = new Desk<AnswerLine>();
  const longAnswers = new LongAnswers();
  const lines = new Set<AnswerLine>([main]);
  const stopwatch = timed ? stopwatchOn(clock) : null;
  const answerTaken = (taken: LineQuestion, now: number) => {
    const answer = isPastWaiting(taken, now) ? tooLate : answerSafely(held, taken, news);
    taken.line.answer(taken, answer, stopwatch?.lapMs() ?? 0);
  };
  return {
    waiting: desk,
    answerRound() {
      const now = clock();
      for (const line of lines) takeAll(line, desk, now);
      stopwatch?.start();
      answerQuick(desk.takeQuick(queryLimits.quickQuestionsPerRoundMax), (taken) => answerTaken(taken, now));
      const turning = desk.nextTurn();
      if (turning === null) return desk.quick > 0;
      const answer = takeTurn(held, turning, news, clock);
      if (answer === null) return true;
      desk.finish(turning);
      turning.line.answer(turning, answer, turning.spentMs);
      longAnswers.left(answer);
      turning.line.tell();
      return true;
    },
    join: (line) => void lines.add(line),
    leave(line) {
      lines.delete(line);
      desk.drop(line);
    },
    ...practising(held, desk, news),
    open: held.open,
    close: held.close,
    async end() {
      while (this.answerRound());
      await held.closeAll();
    },
    receive(command, from) {
      if (command.op === 'ask') desk.take(decodeBatch(command.batch), clock(), from);
      else answerCompressed(command, from, stopwatch, news);
    },
  };
}

/** Practises with the publication last asked for; before any question with the first opened, which a start serves. */
function practising(
  held: HeldPublications,
  desk: Desk<AnswerLine>,
  news: QueryNews,
): Pick<QueryThread, 'mayPractise' | 'practise'> {
  let practice: Practice | null = new Practice();
  /** The publication that the thread has practised enough with. It asks before each sleep. */
  let practisedId: string | null = null;
  const current = () => {
    const [first = null] = held.byId.values();
    return (desk.publicationId === null ? null : held.byId.get(desk.publicationId)) ?? first;
  };
  return {
    mayPractise() {
      const publication = current();
      if (publication === null || publication.id === practisedId) return false;
      if (practice === null || practice.isOver(publication)) practisedId = publication.id;
      return publication.id !== practisedId;
    },
    practise() {
      const publication = current();
      if (publication !== null && practice !== null) practice = practiseSafely(practice, publication, news);
    },
  };
}

/** @returns null after a failure, which is reported once: callers who ask the same question report it again */
function practiseSafely(
  practice: Practice,
  publication: PublicationReader,
  news: QueryNews,
): Practice | null {
  try {
    practice.step(publication);
    return practice;
  } catch (error) {
    reportError(news, publication.id, error, `in practice: ${practice.question}`);
    return null;
  }
}

/**
 * Frees what answers leave whose memory is theirs alone. The objects that they were made from outlive several of the
 * collector's small collections, and it would let 80 MB of them gather. It collects all of them here from time to time,
 * while hardly any is in use (decision 066).
 */
class LongAnswers {
  /** Of the answers since the last collection. */
  #bytes = 0;

  /** Call it once an answer has left the thread. */
  left(answer: Answer): void {
    if (answer.outcome !== 'found' || answer.free === undefined) return;
    this.#bytes += answer.data.length;
    answer.free();
    if (this.#bytes < queryLimits.longAnswerBytesPerCollection) return;
    this.#bytes = 0;
    Bun.gc(true);
  }
}

type LineQuestion = TakenQuestion<AnswerLine>;

/** Whether the caller has given up. Work on the answer would delay those that can still arrive in time. */
function isPastWaiting({ takenAt }: LineQuestion, now: number): boolean {
  return now - takenAt > lineLimits.questionTimeoutMs;
}

const tooLate: Answer = { outcome: 'unavailable', reason: 'timeout' };

function takeAll(line: AnswerLine, desk: Desk<AnswerLine>, now: number): void {
  for (let batch = line.nextBatch(); batch !== null; batch = line.nextBatch()) {
    desk.take(decodeBatch(batch), now, line);
  }
}

/**
 * Notifies a front after every few answers, so that it makes responses of the first while the last are answered, and
 * before the next question belongs to another front.
 */
function answerQuick(taken: readonly LineQuestion[], answerTaken: (taken: LineQuestion) => void): void {
  let untold = 0;
  let line: AnswerLine | null = null;
  for (const each of taken) {
    if (line !== each.line && untold > 0) {
      line?.tell();
      untold = 0;
    }
    line = each.line;
    answerTaken(each);
    if (++untold < queryLimits.answersBeforeTelling) continue;
    line.tell();
    untold = 0;
  }
  if (untold > 0) line?.tell();
}

/** Answers a question. A bug in one answer does not affect the other questions of its batch. */
function answerSafely(held: HeldPublications, taken: LineQuestion, news: QueryNews): Answer {
  const { publicationId, question } = taken;
  const publication = held.byId.get(publicationId);
  if (publication === undefined) return { outcome: 'unavailable', reason: 'publication-gone' };
  try {
    return answerQuestion(publication, question);
  } catch (error) {
    return failed(news, publicationId, error, question);
  }
}

/** @param id of the publication that was asked */
function failed(news: QueryNews, id: string, error: unknown, question: TextQuestion): Answer {
  reportError(news, id, error, JSON.stringify(question));
  return { outcome: 'unavailable', reason: 'failed' };
}

/**
 * Gives a slow question a turn, and measures it even if nobody watches: further turns depend on it.
 * @returns null if the question needs another turn
 */
function takeTurn(
  held: HeldPublications,
  turning: SlowQuestion<AnswerLine>,
  news: QueryNews,
  clock: () => number,
): Answer | null {
  const startedAt = clock();
  const answer = isPastWaiting(turning, startedAt)
    ? tooLate
    : goOnSafely(held, turning, news, () => clock() - startedAt < queryLimits.turnMs);
  turning.spentMs += clock() - startedAt;
  return answer;
}

/**
 * @param mayGoOn whether the turn may have a further step
 * @returns null if the question needs another turn
 */
function goOnSafely(
  held: HeldPublications,
  turning: SlowQuestion<AnswerLine>,
  news: QueryNews,
  mayGoOn: () => boolean,
): Answer | null {
  const { publicationId, question } = turning;
  const publication = held.byId.get(publicationId);
  // The publication may have been closed since the last turn: its caller has given up then.
  const isGone = publication === undefined || (turning.begun?.publication ?? publication) !== publication;
  if (isGone) return { outcome: 'unavailable', reason: 'publication-gone' };
  try {
    if (turning.begun === null) {
      const begun = beginAnswer(publication, question, handOnOf(turning));
      if ('outcome' in begun) return begun;
      turning.begun = { publication, steps: begun };
    }
    do {
      const { done, value } = turning.begun.steps.next();
      if (done === true) return value;
    } while (mayGoOn());
    return null;
  } catch (error) {
    return failed(news, publicationId, error, question);
  }
}

/** Sends parts of an answer; null if the question takes it in one piece. */
function handOnOf(taken: LineQuestion): HandOn | null {
  const { question, line } = taken;
  if (question.kind !== 'batch' || !question.inParts) return null;
  return (part) => {
    if (!line.part(taken, part)) return false;
    line.tell();
    return true;
  };
}

function answerCompressed(
  { batch, question }: LineCommand & { readonly op: 'compress' },
  line: AnswerLine,
  stopwatch: Stopwatch | null,
  news: QueryNews,
): void {
  stopwatch?.start();
  const answer = compressSafely(question, news);
  line.answer({ batch, position: 0 }, answer, stopwatch?.lapMs() ?? 0);
  line.tell();
}

function compressSafely({ coding, body }: CompressQuestion, news: QueryNews): Answer {
  try {
    const bytes = compress(coding, body);
    freeMemory(body);
    return { outcome: 'compressed', bytes };
  } catch (error) {
    reportFault(news, null, error, `${coding} of ${body.length} bytes`);
    return { outcome: 'unavailable', reason: 'failed' };
  }
}

/** Answers follow each other without a pause, so the end of one is the start of the next. */
interface Stopwatch {
  start(): void;
  /** Milliseconds since the last lap, or since the start. */
  lapMs(): number;
}

function stopwatchOn(clock: () => number): Stopwatch {
  let lapAt = 0;
  return {
    start() {
      lapAt = clock();
    },
    lapMs() {
      const before = lapAt;
      lapAt = clock();
      return lapAt - before;
    },
  };
}

/** @param id of the publication that was asked */
function reportError(news: QueryNews, id: string, error: unknown, question: string): void {
  if (error instanceof DamagedFile) news.damaged(id, error.message, error.path);
  else reportFault(news, id, error, question);
}

function reportFault(news: QueryNews, publication: string | null, error: unknown, question: string): void {
  news.fault({ message: reasonOf(error), stack: placeOf(error), publication, question });
}
