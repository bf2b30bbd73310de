import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerRecord, readAnswer } from '../../src/dispatch/answer-record.ts';
import { mappingKinds } from '../../src/lei/identifier-kinds.ts';
import { noticesOf } from '../../src/lei/notices.ts';
import type { Answer, AnswerPart } from '../../src/protocol/questions.ts';

const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
const bytes = fc.uint8Array({ maxLength: 300, size: 'max' }).map((value) => new Uint8Array(value));

const answer: fc.Arbitrary<Answer | AnswerPart> = fc.oneof(
  fc.record({
    outcome: fc.constant('found' as const),
    data: bytes,
    next: fc.option(text, { nil: null }),
    notices: fc.subarray([...mappingKinds]).map(noticesOf),
  }),
  fc.record({ outcome: fc.constant('part' as const), data: bytes }),
  fc.record({ outcome: fc.constant('compressed' as const), bytes }),
  fc.constant({ outcome: 'not-found' as const }),
  fc.record({ outcome: fc.constant('invalid' as const), parameter: text, detail: text }),
  fc.record({
    outcome: fc.constant('unavailable' as const),
    reason: fc.constantFrom(
      'no-publication' as const,
      'publication-gone' as const,
      'queue-full' as const,
      'timeout' as const,
      'shutting-down' as const,
      'failed' as const,
    ),
  }),
);

interface Taken {
  readonly batch: number;
  readonly position: number;
  readonly answer: Answer | AnswerPart;
  readonly answerMs: number;
}

/** The one answer in a record. */
function read(record: Buffer): Taken {
  const taken: Taken[] = [];
  readAnswer(record, 0, (batch, position, answer, answerMs) =>
    taken.push({ batch, position, answer, answerMs }),
  );
  const [first] = taken;
  if (first === undefined || taken.length > 1) throw new Error(`${taken.length} answers in one record`);
  const { answer } = first;
  // A plain array of bytes, as in the written answer.
  return answer.outcome === 'found' || answer.outcome === 'part'
    ? { ...first, answer: { ...answer, data: new Uint8Array(answer.data) } }
    : first;
}

describe('the record of an answer', () => {
  test('is decoded to the same answer, with its address and time', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger().map((n) => n | 0),
        fc.nat({ max: 1024 }),
        answer,
        fc.nat({ max: 5_000_000 }),
        (batch, position, given, microseconds) => {
          const answerMs = microseconds / 1_000;
          const record = answerRecord({ batch, position }, given, answerMs);
          expect(read(record)).toEqual({ batch, position, answer: given, answerMs });
        },
      ),
    );
  });

  test('with an unknown outcome or reason throws', () => {
    const record = answerRecord({ batch: 1, position: 0 }, { outcome: 'unavailable', reason: 'timeout' });
    record[8] = 0xf4;
    expect(() => read(record)).toThrow('unknown code');
    record[8] = 0x0f;
    expect(() => read(record)).toThrow('unknown outcome');
  });
});
