import { describe, expect, spyOn, test } from 'bun:test';
import { lineLimits } from '../../src/dispatch/limits.ts';
import type { QueryNews } from '../../src/dispatch/query-threads.ts';
import { DamagedFile } from '../../src/errors.ts';
import type { TextQuestion } from '../../src/protocol/questions.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { queryLimits } from '../../src/query/limits.ts';
import { type AnswerLine, queryThread } from '../../src/query/query-thread.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { keep } from '../support/answers.ts';
import { memoryPublication, practisedPublication } from '../support/memory-publication.ts';
import { batchText, searchForBank } from '../support/questions.ts';
import { leiOf, world } from './world.ts';

const noNews: QueryNews = { damaged: () => {}, fault: () => {} };

const id = '20261004T160000Z-00000001';
const lei = '529900T8BM49AURSDO55';
const lookUp: TextQuestion = { kind: 'company', lei };

/** A thread that holds one publication; `arriving` are batches that arrive while it answers, one after each answer. */
async function threadOver(first: readonly TextQuestion[], arriving: readonly TextQuestion[][] = []) {
  let batches = 0;
  const batchOf = (questions: readonly TextQuestion[]) => batchText(++batches, id, questions);
  const waiting = [batchOf(first)];
  const coming = [...arriving];
  const answered: string[] = [];
  let told = 0;
  const line: AnswerLine = {
    nextBatch: () => waiting.shift() ?? null,
    answer: ({ batch, position }) => {
      answered.push(`${batch}/${position}`);
      const next = coming.shift();
      if (next !== undefined) waiting.push(batchOf(next));
    },
    part: () => false,
    tell: () => void told++,
  };
  const thread = queryThread(
    async () => memoryPublication({ id, companies: [{ lei, name: 'Bank' }] }),
    line,
    noNews,
  );
  await thread.open(id);
  while (thread.answerRound());
  return { answered, told: () => told };
}

describe('a query thread', () => {
  test('answers quick questions before slow ones, each kind in order', async () => {
    const { answered } = await threadOver([searchForBank, lookUp, searchForBank, lookUp]);
    expect(answered).toEqual(['1/1', '1/3', '1/0', '1/2']);
  });

  test('looks for new quick questions between two slow ones', async () => {
    const { answered } = await threadOver(
      [searchForBank, searchForBank, searchForBank],
      [[lookUp], [lookUp]],
    );
    expect(answered).toEqual(['1/0', '2/0', '1/1', '3/0', '1/2']);
  });

  test('answers a slow question in every round, however many quick ones arrive', async () => {
    const flood = Array.from({ length: 20 }, () => [lookUp, lookUp]);
    const { answered } = await threadOver([searchForBank, searchForBank], flood);
    expect(answered.indexOf('1/0')).toBeLessThan(2);
    expect(answered.indexOf('1/1')).toBeLessThan(10);
  });

  test('answers a slow question before the end of a flood of quick ones', async () => {
    const flood = Array.from({ length: 3 * queryLimits.quickQuestionsPerRoundMax }, () => lookUp);
    const { answered } = await threadOver([...flood, searchForBank]);
    expect(answered.indexOf(`1/${flood.length}`)).toBe(queryLimits.quickQuestionsPerRoundMax);
    expect(new Set(answered).size).toBe(flood.length + 1);
  });

  test('announces its first answers before it makes the last', async () => {
    const { told, answered } = await threadOver(Array.from({ length: 100 }, () => lookUp));
    expect(answered).toHaveLength(100);
    expect(told()).toBeGreaterThan(5);
    expect(told()).toBeLessThan(50);
  });
});

test('damaged bytes fail their question and are reported; the others are answered', async () => {
  const reader = memoryPublication({ id, companies: [{ lei, name: 'Bank' }] });
  const damaged = '529900ODI3047E2LIV03';
  const find = (asked: string) => {
    if (asked === damaged) throw new DamagedFile('companies.bin', 'the row at 8 is not the written one');
    return reader.find(asked);
  };
  const batches = [batchText(1, id, [{ kind: 'company', lei: damaged }, lookUp])];
  const outcomes: string[] = [];
  const line: AnswerLine = {
    nextBatch: () => batches.shift() ?? null,
    answer: (_, answer) => void outcomes.push(answer.outcome),
    part: () => false,
    tell: () => undefined,
  };
  const damages: unknown[] = [];
  const thread = queryThread(async () => ({ ...reader, find }), line, {
    ...noNews,
    damaged: (...damage) => void damages.push(damage),
  });
  await thread.open(id);
  while (thread.answerRound());
  expect(outcomes).toEqual(['unavailable', 'found']);
  const message = 'companies.bin is damaged: the row at 8 is not the written one.';
  expect(damages).toContainEqual([id, message, 'companies.bin']);
});

/** A thread that has opened these publications, and a list of what it sends. */
async function threadHolding(
  publications: readonly PublicationReader[],
  nextBatch: () => string | null = () => null,
  clock = () => 0,
) {
  const sent: unknown[] = [];
  const line: AnswerLine = {
    nextBatch,
    answer: (address, answer) => void sent.push([address, keep(answer)]),
    part: () => false,
    tell: () => void sent.push('told'),
  };
  const thread = queryThread(
    async (id) =>
      publications.find((publication) => publication.id === id) ?? memoryPublication({ id, companies: [] }),
    line,
    { ...noNews, fault: (fault) => void sent.push(fault) },
    { clock },
  );
  for (const { id } of publications) await thread.open(id);
  sent.length = 0;
  return { thread, line, sent };
}

/** A thread that is asked for the relationships of a company with so many children so often, and its answers. */
async function threadListing(children: number, times: number) {
  const publication = world(
    children + 1,
    Array.from({ length: children }, (_, n) => [n + 1, 0]),
  );
  let freed = 0;
  const free = () => void freed++;
  const reader: PublicationReader = {
    ...publication,
    *relationshipsInSteps(entity) {
      return { ...(yield* publication.relationshipsInSteps(entity)), free };
    },
  };
  let asked = 0;
  const question: TextQuestion = { kind: 'relationships', lei: leiOf(0) };
  const answers: { readonly data: Uint8Array; readonly bytes: number }[] = [];
  const line: AnswerLine = {
    nextBatch: () => (asked++ < times ? batchText(asked, publication.id, [question]) : null),
    answer: (_, answer) => {
      if (answer.outcome === 'found') answers.push({ data: answer.data, bytes: answer.data.length });
    },
    part: () => false,
    tell: () => undefined,
  };
  const thread = queryThread(async () => reader, line, noNews, { clock: () => 0 });
  await thread.open(publication.id);
  return { thread, answers, freed: () => freed };
}

describe('long lists of relationships', () => {
  const children = queryLimits.itemsPerStep + 1;

  test('leave no memory in the thread once the answer has left', async () => {
    const { thread, answers, freed } = await threadListing(children, 1);
    while (thread.answerRound());
    const [answer] = answers;
    expect(answer?.bytes).toBeGreaterThan(100 * children);
    expect(answer?.data.buffer.byteLength).toBe(0);
    expect(freed()).toBe(1);
  });

  test('are followed by a collection of garbage after some sixty megabytes of them, and not earlier', async () => {
    const { thread, answers } = await threadListing(children, 2_000);
    const collections = spyOn(Bun, 'gc');
    try {
      while (collections.mock.calls.length === 0 && thread.answerRound());
      const bytes = answers.map((answer) => answer.bytes);
      const sum = bytes.reduce((before, one) => before + one, 0);
      expect(sum).toBeGreaterThanOrEqual(queryLimits.longAnswerBytesPerCollection);
      expect(sum - (bytes.at(-1) ?? 0)).toBeLessThan(queryLimits.longAnswerBytesPerCollection);
    } finally {
      collections.mockRestore();
    }
  });
});

test('does not work on a question past its deadline, so that later ones are answered in time', async () => {
  let now = 0;
  const batches = [batchText(1, id, [searchForBank, searchForBank, lookUp])];
  const publication = memoryPublication({ id, companies: [{ lei, name: 'Bank' }] });
  const { thread, sent } = await threadHolding(
    [publication],
    () => batches.shift() ?? null,
    () => now,
  );
  thread.answerRound();
  now = lineLimits.questionTimeoutMs + 1;
  batches.push(batchText(2, id, [searchForBank]));
  while (thread.answerRound());
  const found = expect.objectContaining({ outcome: 'found' });
  expect(sent.filter((each) => each !== 'told')).toEqual([
    [expect.objectContaining({ batch: 1, position: 2 }), found],
    [expect.objectContaining({ batch: 1, position: 0 }), found],
    [expect.objectContaining({ batch: 1, position: 1 }), { outcome: 'unavailable', reason: 'timeout' }],
    [expect.objectContaining({ batch: 2, position: 0 }), found],
  ]);
});

describe('a question of many steps', () => {
  const family = world(
    40,
    Array.from({ length: 39 }, (_, n) => [n, n + 1] as const),
  );
  const dear: TextQuestion = { kind: 'ownership', lei: leiOf(0), directions: ['up'], depth: 10 };

  /** A thread whose clock goes on by a millisecond each time that it is read. */
  async function ticking(batches: string[]) {
    const time = { now: 0 };
    const { thread, sent } = await threadHolding(
      [family],
      () => batches.shift() ?? null,
      () => time.now++,
    );
    const answers = () => sent.filter((each) => Array.isArray(each));
    return { thread, answers, time };
  }

  test('takes turns with others, and a search that comes meanwhile is answered first', async () => {
    const batches = [batchText(1, id, [dear])];
    const { thread, answers } = await ticking(batches);
    thread.answerRound();
    expect(answers()).toEqual([]);
    batches.push(batchText(2, id, [searchForBank, lookUp]));
    while (thread.answerRound());
    const found = expect.objectContaining({ outcome: 'found' });
    expect(answers()).toEqual([
      [expect.objectContaining({ batch: 2, position: 1 }), { outcome: 'not-found' }],
      [expect.objectContaining({ batch: 2, position: 0 }), found],
      [expect.objectContaining({ batch: 1, position: 0 }), found],
    ]);
  });

  test('gets the same answer in turns as at once', async () => {
    const { thread, answers } = await ticking([batchText(1, id, [dear, dear])]);
    while (thread.answerRound());
    const whole = keep(answerQuestion(family, dear));
    expect(answers()).toEqual([0, 1].map((position) => [expect.objectContaining({ position }), whole]));
  });

  test('ends at its deadline, and when its publication is closed', async () => {
    const batches = [batchText(1, id, [dear])];
    const { thread, answers, time } = await ticking(batches);
    thread.answerRound();
    time.now += lineLimits.questionTimeoutMs;
    while (thread.answerRound());
    batches.push(batchText(2, id, [dear]));
    thread.answerRound();
    await thread.close(id);
    while (thread.answerRound());
    expect(answers()).toEqual([
      [expect.anything(), { outcome: 'unavailable', reason: 'timeout' }],
      [expect.anything(), { outcome: 'unavailable', reason: 'publication-gone' }],
    ]);
  });
});

describe('practice', () => {
  test('sends no answers; its first failure is reported with the question and ends it', async () => {
    const { thread, sent } = await threadHolding([practisedPublication(id)]);
    while (thread.mayPractise()) thread.practise();
    expect(sent).toEqual([
      expect.objectContaining({
        message: 'It was asked for Practised 0.',
        question: expect.stringContaining('in practice: {"kind":"search","q":"Practised 0"'),
      }),
    ]);
  });

  test('uses the publication opened first (the active one at a start), and then the one that callers ask', async () => {
    const earlier = practisedPublication('20261003T160000Z-00000001');
    const small = memoryPublication({ id, companies: [{ lei, name: 'Bank' }] });
    const batches = [batchText(1, earlier.id, [lookUp])];
    const { thread } = await threadHolding([small, earlier], () => batches.shift() ?? null);
    expect(thread.mayPractise()).toBe(false);
    thread.answerRound();
    expect(thread.mayPractise()).toBe(true);
  });
});

test('a body that cannot be compressed fails only its own answer', async () => {
  const { thread, line, sent } = await threadHolding([]);
  const body: Uint8Array<ArrayBuffer> = JSON.parse('7');
  thread.receive({ op: 'compress', batch: 7, question: { kind: 'compress', coding: 'gzip', body } }, line);
  expect(sent).toEqual([
    expect.objectContaining({ question: 'gzip of undefined bytes' }),
    [
      { batch: 7, position: 0 },
      { outcome: 'unavailable', reason: 'failed' },
    ],
    'told',
  ]);
});

test('a timed thread reports how long each answer took; another does not read the clock', async () => {
  for (const timed of [true, false]) {
    let reads = 0;
    const measured: number[] = [];
    const batches = [batchText(1, id, [lookUp, lookUp])];
    const thread = queryThread(
      async () => memoryPublication({ id, companies: [{ lei, name: 'Bank' }] }),
      {
        nextBatch: () => batches.shift() ?? null,
        answer: (_address, _answer, answerMs = 0) => void measured.push(answerMs),
        part: () => false,
        tell: () => undefined,
      },
      noNews,
      { timed, clock: () => reads++ },
    );
    await thread.open(id);
    const before = reads;
    thread.answerRound();
    expect({ measured, reads: reads - before }).toEqual(
      timed ? { measured: [1, 1], reads: 4 } : { measured: [0, 0], reads: 1 },
    );
  }
});
