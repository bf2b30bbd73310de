import { expect, test } from 'bun:test';
import { AnsweringEnd, AskingEnd, lineMemory } from '../../src/dispatch/line.ts';

/** Both ends of a line, and what crosses beside the rings. */
const ends = () => {
  const memory = lineMemory(1024, 1024);
  const posted: unknown[] = [];
  const taken: (readonly [number, number])[] = [];
  const asking = new AskingEnd(
    memory,
    (command) => void posted.push(command),
    (...[batch, position]) => void taken.push([batch, position]),
  );
  return { asking, answering: new AnsweringEnd(memory, (news) => void posted.push(news)), posted, taken };
};

test('a thread without questions sleeps for the whole time limit', () => {
  const { answering } = ends();
  expect(answering.sleep(answering.rung, 0)).toBe(false);
});

test('a thread never sleeps through a question or command that arrived after its last check', () => {
  const { asking, answering } = ends();
  const { rung } = answering;
  asking.sendBatch('a batch');
  expect(answering.sleep(rung)).toBe(true);
  const afterQuestion = answering.rung;
  asking.commandPosted();
  expect(answering.sleep(afterQuestion)).toBe(true);
});

test('a line has room again once its questions and answers have been taken; what has none is posted', () => {
  const { asking, answering, posted, taken } = ends();
  const batch = 'x'.repeat(600);
  const answer = { outcome: 'compressed', bytes: new Uint8Array(600) } as const;
  for (let round = 0; round < 3; round++) {
    posted.length = 0;
    taken.length = 0;
    asking.sendBatch(batch);
    expect(posted).toEqual([]);
    asking.sendBatch(batch);
    expect(posted.splice(0)).toEqual([{ op: 'ask', batch }]);
    expect([answering.nextBatch(), answering.nextBatch()]).toEqual([batch, null]);
    const address = { batch: round, position: 7 };
    answering.answer(address, answer);
    expect(posted).toEqual([]);
    answering.answer(address, answer);
    expect(posted).toEqual([{ news: 'answer', record: expect.any(Uint8Array) }]);
    asking.takeAnswers();
    expect(taken).toEqual([[round, 7]]);
  }
});

test('the front is notified of answers once until it takes them', () => {
  const { asking, answering, posted } = ends();
  for (let round = 0; round < 2; round++) {
    answering.tell();
    answering.tell();
    expect(posted.splice(0)).toEqual([{ news: 'answers' }]);
    asking.takeAnswers();
  }
});

test('answers that a thread gives while the front takes others are taken without another notification', () => {
  const posted: unknown[] = [];
  const taken: number[] = [];
  const memory = lineMemory(1024, 1024);
  const answering = new AnsweringEnd(memory, (news) => void posted.push(news));
  const give = (batch: number) => {
    answering.answer({ batch, position: 0 }, { outcome: 'not-found' });
    answering.tell();
  };
  const asking = new AskingEnd(
    memory,
    () => undefined,
    (batch) => {
      taken.push(batch);
      if (batch < 3) give(batch + 1);
    },
  );
  give(1);
  asking.takeAnswers();
  expect([posted, taken]).toEqual([[{ news: 'answers' }], [1, 2, 3]]);
  give(4);
  expect(posted).toHaveLength(2);
});

test('answers behind one at which a front failed are taken a little later', async () => {
  const taken: number[] = [];
  const memory = lineMemory(1024, 1024);
  const answering = new AnsweringEnd(memory, () => {});
  const asking = new AskingEnd(
    memory,
    () => undefined,
    (batch) => {
      taken.push(batch);
      if (batch === 1) throw new Error('a bug');
    },
  );
  for (const batch of [1, 2]) answering.answer({ batch, position: 0 }, { outcome: 'not-found' });
  answering.tell();
  expect(() => asking.takeAnswers()).toThrow('a bug');
  await Promise.resolve();
  expect(taken).toEqual([1, 2]);
});

test('a front that failed at an answer is notified of the next', () => {
  const posted: unknown[] = [];
  const memory = lineMemory(1024, 1024);
  const answering = new AnsweringEnd(memory, (news) => void posted.push(news));
  const asking = new AskingEnd(
    memory,
    () => undefined,
    () => {
      throw new Error('a bug');
    },
  );
  for (const expected of [1, 2]) {
    answering.answer({ batch: 1, position: 0 }, { outcome: 'not-found' });
    answering.tell();
    expect(() => asking.takeAnswers()).toThrow('a bug');
    expect(posted).toHaveLength(expected);
  }
});
