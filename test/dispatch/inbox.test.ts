import { describe, expect, test } from 'bun:test';
import { Inbox } from '../../src/dispatch/inbox.ts';
import { lineLimits, threadLimits } from '../../src/dispatch/limits.ts';
import type { Question } from '../../src/protocol/questions.ts';

const lei = '529900T8BM49AURSDO55';
const lookUp: Question = { kind: 'company', lei };
const slow: Question = { kind: 'relationships', lei };

/** An inbox whose outlet records what is sent, and a function that asks it one question at once. */
function watchedInbox() {
  const sent: string[] = [];
  const inbox = new Inbox(
    {
      busy: 0,
      sendBatch: (batch) => void sent.push(batch),
      compress: (batch) => void sent.push(`${batch} compress`),
    },
    { answered: null, slowAnswered: () => undefined },
  );
  const rest = {
    publicationId: 'p',
    clientId: '',
    clientMs: 0,
    expectedMs: 0,
    deadline: 1_000,
    deaths: 0,
    take: () => undefined,
  };
  /** @returns the number of the question's batch */
  const ask = (now: number, question: Question = lookUp) => {
    inbox.put({ ...rest, question }, now);
    inbox.send();
    return Number.parseInt(sent.at(-1) ?? '', 10);
  };
  const answer = (batch: number) => inbox.receive(batch, 0, { outcome: 'not-found' }, 0);
  return { inbox, rest, sent, ask, answer };
}

describe('a thread’s silence', () => {
  test('begins with its last answer, however long its oldest question waits', () => {
    const { inbox, ask, answer } = watchedInbox();
    expect(inbox.expire(0)).toBe(0);
    ask(0);
    const second = ask(10);
    expect(inbox.expire(20)).toBe(20);
    answer(second);
    expect(inbox.expire(30)).toBe(0);
    expect(inbox.expire(50)).toBe(20);
  });

  test('is zero while no question is open, however long nobody asks', () => {
    const { inbox, ask, answer } = watchedInbox();
    answer(ask(0));
    inbox.expire(10);
    expect(inbox.expire(1_000_000)).toBe(0);
  });
});

test('a thread with a slow question counts as busier than one with a look-up, until it has answered', () => {
  const { inbox, ask, answer } = watchedInbox();
  ask(0);
  const batch = ask(0, slow);
  expect([inbox.work, inbox.quick, inbox.slow]).toEqual([1 + lineLimits.slowQuestionWork, 1, 1]);
  answer(batch);
  expect([inbox.work, inbox.quick, inbox.slow]).toEqual([1, 1, 0]);
});

test('a thread has room for cheap questions while it has dear ones, and for few of those', () => {
  const { inbox, rest } = watchedInbox();
  const { dearMs, dearMsInThreadMax, slowQuestionsInThreadMax } = threadLimits;
  const [cheap, dear] = [dearMs, dearMsInThreadMax].map((expectedMs) => ({
    ...rest,
    question: slow,
    expectedMs,
  }));
  if (cheap === undefined || dear === undefined) throw new Error('There is no question.');
  expect([inbox.hasRoomFor(cheap), inbox.hasRoomFor(dear)]).toEqual([true, true]);
  inbox.put({ ...dear }, 0);
  expect([inbox.hasRoomFor(cheap), inbox.hasRoomFor(dear)]).toEqual([true, false]);
  for (let count = 1; count < slowQuestionsInThreadMax; count++) inbox.put({ ...cheap }, 0);
  expect(inbox.hasRoomFor(cheap)).toBe(false);
});

test('a question past its deadline keeps no publication open, even before the thread has answered it', () => {
  const { inbox, ask } = watchedInbox();
  ask(0);
  expect(inbox.isAboutPublication('p')).toBe(true);
  inbox.expire(1_000);
  expect([inbox.isAboutPublication('p'), inbox.work]).toEqual([false, 1]);
});

test('a body to compress is sent at once, as a batch of its own', () => {
  const { inbox, rest, sent } = watchedInbox();
  const question: Question = { kind: 'compress', coding: 'gzip', body: new Uint8Array(8) };
  inbox.put({ ...rest, question }, 0);
  expect(sent).toEqual([expect.stringMatching(/^\d+ compress$/)]);
  inbox.send();
  expect(sent).toHaveLength(1);
});
