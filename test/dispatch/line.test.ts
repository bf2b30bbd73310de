import { expect, test } from 'bun:test';
import { AnsweringEnd, AskingEnd, lineMemory } from '../../src/dispatch/line.ts';

const ends = () => {
  const memory = lineMemory(1024, 1024);
  return { asking: new AskingEnd(memory), answering: new AnsweringEnd(memory) };
};

test('a thread without questions sleeps for the whole time limit', () => {
  const { answering } = ends();
  expect(answering.sleep(answering.rung, 0)).toBe(false);
});

test('a thread never sleeps through a question or command that arrived after its last check', () => {
  const { asking, answering } = ends();
  const { rung } = answering;
  asking.ask('a batch');
  expect(answering.sleep(rung)).toBe(true);
  const afterQuestion = answering.rung;
  asking.commandPosted();
  expect(answering.sleep(afterQuestion)).toBe(true);
});

test('a line has room again once its questions and answers have been taken', () => {
  const { asking, answering } = ends();
  const batch = 'x'.repeat(600);
  const answer = { outcome: 'compressed', bytes: new Uint8Array(600) } as const;
  for (let round = 0; round < 3; round++) {
    expect([asking.ask(batch), asking.ask(batch)]).toEqual([true, false]);
    expect([answering.nextBatch(), answering.nextBatch()]).toEqual([batch, null]);
    const address = { batch: round, position: 7 };
    expect(answering.answer(address, answer)).toBeNull();
    // An answer without room comes back as a record, to be posted.
    expect(answering.answer(address, answer)?.length).toBeGreaterThan(600);
    const taken: (readonly [number, number])[] = [];
    asking.takeAnswers((...[of, position]) => void taken.push([of, position]));
    expect(taken).toEqual([[round, 7]]);
  }
});

test('the front is notified of answers once until it takes them', () => {
  const { asking, answering } = ends();
  expect([answering.mustTell(), answering.mustTell()]).toEqual([true, false]);
  asking.takeAnswers(() => {});
  expect([answering.mustTell(), answering.mustTell()]).toEqual([true, false]);
});
