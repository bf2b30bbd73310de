import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TextQuestion } from '../../src/protocol/questions.ts';
import { Desk, type TakenQuestion } from '../../src/query/desk.ts';
import { queryLimits } from '../../src/query/limits.ts';
import { searchForBank } from '../support/questions.ts';

const lei = '5493001KJTIIGC8Y1R12';
const quick: TextQuestion = { kind: 'company', lei };
const slow: TextQuestion = { kind: 'relationships', lei };

/** Takes the next slow question out. */
function finished<Line>(desk: Desk<Line>): TakenQuestion<Line> | null {
  const next = desk.nextTurn();
  if (next !== null) desk.finish(next);
  return next;
}

/** A desk with a slow question for each of these costs. */
function deskOf(...clientMs: readonly number[]): Desk<null> {
  const desk = new Desk<null>();
  desk.take({ batch: 1, publicationId: 'p', questions: clientMs.map(() => slow), clientMs }, 0, null);
  return desk;
}

/** Gives turns of two milliseconds. @returns the positions of the questions that had them */
function turnsOf(desk: Desk<null>, count: number): readonly (number | undefined)[] {
  return Array.from({ length: count }, () => {
    const turning = desk.nextTurn();
    if (turning !== null) turning.spentMs += 2;
    return turning?.position;
  });
}

describe('a turn', () => {
  test('belongs to the question whose client has cost least, and then to the others alike', () => {
    expect(turnsOf(deskOf(9, 4, 7), 8)).toEqual([1, 1, 2, 1, 0, 2, 1, 0]);
    expect(turnsOf(deskOf(0, 0, 0), 6)).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('is given to the question that has waited longest once in a while, however little the others cost', () => {
    const desk = deskOf(1_000_000, 0, 0);
    const { turnsByCostInRowMax } = queryLimits;
    const turns = turnsOf(desk, 3 * (turnsByCostInRowMax + 1));
    expect(turns.filter((position) => position === 0)).toHaveLength(3);
    expect(turns.indexOf(0)).toBe(turnsByCostInRowMax);
  });
});

test('every question is returned once, quick ones before slow ones, each kind in order (property)', () => {
  const question = fc.constantFrom(quick, slow, searchForBank);
  // Batches, each followed by a number of rounds of answering.
  const days = fc.array(fc.tuple(fc.array(question, { maxLength: 6 }), fc.nat({ max: 4 })), { maxLength: 8 });
  fc.assert(
    fc.property(days, (batches) => {
      const desk = new Desk<null>();
      const out: TakenQuestion<null>[] = [];
      const round = () => {
        out.push(...desk.takeQuick(2));
        const next = finished(desk);
        if (next !== null) out.push(next);
        return next !== null || desk.quick > 0;
      };
      batches.forEach(([questions, rounds], batch) => {
        desk.take({ batch, publicationId: 'p', questions, clientMs: [] }, batch, null);
        for (let count = 0; count < rounds; count++) round();
      });
      while (round());
      const placesOf = (kinds: readonly TextQuestion[]) =>
        out
          .filter((taken) => kinds.includes(taken.question))
          .map(({ batch, position }) => batch * 100 + position);
      const everything = batches.flatMap(([questions], batch) =>
        questions.map((_, position) => batch * 100 + position),
      );
      const [quickPlaces, slowPlaces] = [placesOf([quick]), placesOf([slow, searchForBank])];
      expect([...quickPlaces, ...slowPlaces].sort((a, b) => a - b)).toEqual(everything);
      expect(quickPlaces).toEqual(quickPlaces.toSorted((a, b) => a - b));
      expect(slowPlaces).toEqual(slowPlaces.toSorted((a, b) => a - b));
      expect([desk.takeQuick(9), finished(desk)]).toEqual([[], null]);
    }),
  );
});

test('a slow question waits only for the quick ones that are already there', () => {
  const desk = new Desk<null>();
  desk.take(
    { batch: 1, publicationId: 'p', questions: [slow, quick, searchForBank, quick], clientMs: [] },
    0,
    null,
  );
  expect(desk.takeQuick(9).map(({ position }) => position)).toEqual([1, 3]);
  expect(finished(desk)?.position).toBe(0);
  desk.take({ batch: 2, publicationId: 'p', questions: [quick], clientMs: [] }, 0, null);
  expect(desk.takeQuick(9).map(({ batch }) => batch)).toEqual([2]);
  expect(finished(desk)?.position).toBe(2);
});

test('at most the given number of quick questions is returned before a slow one', () => {
  const desk = new Desk<null>();
  desk.take({ batch: 1, publicationId: 'p', questions: [quick, slow, quick, quick], clientMs: [] }, 0, null);
  expect(desk.takeQuick(2).map(({ position }) => position)).toEqual([0, 2]);
  expect(desk.quick).toBe(1);
  expect(finished(desk)?.position).toBe(1);
  expect(desk.takeQuick(2).map(({ position }) => position)).toEqual([3]);
  expect(desk.quick).toBe(0);
});
