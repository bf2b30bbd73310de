import { expect, test } from 'bun:test';
import { AnsweringEnd, AskingEnd, lineMemory } from '../../src/protocol/line.ts';

const ends = () => {
  const memory = lineMemory(1024, 1024);
  return { asking: new AskingEnd(memory), answering: new AnsweringEnd(memory) };
};

test('a thread that is asked nothing sleeps for as long as it wants to', () => {
  const { answering } = ends();
  expect(answering.sleep(answering.rung, 0)).toBe(false);
});

test('a thread never sleeps over what came after it last looked, question or command', () => {
  const { asking, answering } = ends();
  const { rung } = answering;
  asking.ask('a batch');
  expect(answering.sleep(rung)).toBe(true);
  const afterQuestion = answering.rung;
  asking.commandPosted();
  expect(answering.sleep(afterQuestion)).toBe(true);
});
