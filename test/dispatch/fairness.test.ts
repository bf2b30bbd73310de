/**
 * Tests what one honest client still gets during a flood of searches within quotas. The bounds are in searches served,
 * not in time.
 */
import { expect, test } from 'bun:test';
import { Dispatcher } from '../../src/dispatch/dispatcher.ts';
import { Inbox } from '../../src/dispatch/inbox.ts';
import { threadLimits } from '../../src/dispatch/limits.ts';
import type { Answer, Question } from '../../src/protocol/questions.ts';
import { type AnswerLine, queryThread } from '../../src/query/query-thread.ts';
import { memoryPublication } from '../support/memory-publication.ts';
import { searchForBank } from '../support/questions.ts';

const id = '20261004T160000Z-00000001';
const lei = '529900T8BM49AURSDO55';
const attackers = Array.from({ length: 1_000 }, (_, index) => `attacker ${index}`);
/** LEI_BURST_SEARCH. */
const searchesAMinute = 60;
const lookUp: Question = { kind: 'company', lei };

/**
 * A dispatcher and one query thread, joined in this thread: each step sends, answers a round, and takes the answers.
 */
async function joined() {
  const batches: string[] = [];
  let searches = 0;
  const dispatcher = new Dispatcher(() => 0);
  const inbox = new Inbox(
    { busy: 0, sendBatch: (batch) => void batches.push(batch), compress: () => undefined },
    { answered: null, slowAnswered: dispatcher.slowAnswered },
  );
  const line: AnswerLine = {
    nextBatch: () => batches.shift() ?? null,
    answer: ({ batch, position }, answer) => inbox.receive(batch, position, answer, 0),
    part: () => false,
    tell: () => undefined,
  };
  const publication = memoryPublication({ id, companies: [{ lei, name: 'Bank' }] });
  const thread = queryThread(async () => publication, line, { damaged: () => {}, fault: () => {} });
  await thread.open(id);
  dispatcher.add(inbox);
  const ask = (client: string, question: Question, take: (answer: Answer) => void) => {
    const isSearch = question.kind === 'search';
    const counted = (answer: Answer) => {
      if (isSearch && answer.outcome === 'found') searches++;
      take(answer);
    };
    dispatcher.ask({ publicationId: id, question, take: counted, clientId: client });
  };
  const step = () => {
    dispatcher.flush();
    thread.answerRound();
  };
  /** Asks, and makes steps until the answer is there. @returns searches served meanwhile */
  const served = (client: string, question: Question) => {
    const before = searches;
    let outcome = '';
    ask(client, question, (answer) => {
      outcome = answer.outcome;
    });
    while (outcome === '') step();
    expect(outcome).toBe('found');
    return searches - before;
  };
  return { ask, step, served, searches: () => searches };
}

test('a flood of searches from a thousand clients does not stop an honest client’s search or look-up', async () => {
  const { ask, step, served, searches } = await joined();
  const left = new Map(attackers.map((attacker) => [attacker, searchesAMinute]));
  let refused = 0;
  /** Each attacker asks all that its quota allows, and repeats what is refused: a 503 is refunded. */
  const flood = () => {
    for (const [attacker, quota] of left) {
      left.set(attacker, 0);
      for (let count = 0; count < quota; count++) {
        ask(attacker, searchForBank, ({ outcome }) => {
          if (outcome === 'found') return;
          refused++;
          left.set(attacker, (left.get(attacker) ?? 0) + 1);
        });
      }
    }
  };
  const { slowQuestionsInThreadMax: inThread, turnsByCostInRowMax } = threadLimits;
  const oneTurnOfEach = Math.ceil(attackers.length * (1 + 1 / turnsByCostInRowMax)) + inThread;
  for (let round = 0; round < 10; round++) {
    flood();
    expect(served('honest', lookUp)).toBeLessThanOrEqual(1);
    expect(served('honest', searchForBank)).toBeLessThanOrEqual(oneTurnOfEach);
    flood();
    expect(served(`newcomer ${round}`, searchForBank)).toBeLessThanOrEqual(oneTurnOfEach);
    for (const until = searches() + 200; searches() < until; ) step();
  }
  expect(refused).toBeGreaterThan(attackers.length);
});

test('a newcomer overtakes clients that have many searches waiting', async () => {
  const { ask, served } = await joined();
  for (let count = 0; count < searchesAMinute; count++) {
    for (const attacker of attackers.slice(0, 30)) ask(attacker, searchForBank, () => undefined);
  }
  served('first', searchForBank);
  expect(served('second', searchForBank)).toBeLessThanOrEqual(threadLimits.slowQuestionsInThreadMax + 1);
});
