import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  decodeAnswers,
  decodeQuestions,
  encodeAnswer,
  encodeQuestion,
  joinPart,
  openAnswers,
  openQuestions,
  type TextAnswer,
} from '../../src/protocol/batch.ts';
import { octetsOf } from '../../src/protocol/octets.ts';
import { identifierKinds, type Question } from '../../src/protocol/questions.ts';

const publicationId = '20261004T160000Z-3f9a1c2b';
/** Any text a request can hold: every plane of Unicode, lone surrogates too, but no control characters. */
const text = fc
  .string({ unit: 'binary', minLength: 1 })
  .map((value) => value.replace(/[\u0000-\u001f]/g, ' '));
const textOrNull = fc.option(text, { nil: null });
const lei = fc.stringMatching(/^[0-9A-Z]{18}[0-9]{2}$/);
const limit = fc.integer({ min: 1, max: 100 });

const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ kind: fc.constant('company' as const), lei }),
  fc.record({ kind: fc.constant('relationships' as const), lei }),
  fc.record({ kind: fc.constant('changes' as const), lei, after: textOrNull, limit }),
  fc.record({
    kind: fc.constant('search' as const),
    q: text,
    country: textOrNull,
    status: textOrNull,
    after: textOrNull,
    limit,
  }),
  fc.record({ kind: fc.constantFrom(...identifierKinds), value: text }),
  fc.record({
    kind: fc.constant('compress' as const),
    coding: fc.constantFrom('zstd' as const, 'br' as const, 'gzip' as const),
    body: fc.json().map(octetsOf),
  }),
);

const answer: fc.Arbitrary<TextAnswer> = fc.oneof(
  fc.record({
    outcome: fc.constant('found' as const),
    data: fc.json(),
    next: textOrNull,
    notices: fc.record({ bic: fc.boolean(), mic: fc.boolean(), gem: fc.boolean() }),
  }),
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

describe('the wire between front and query threads', () => {
  test('any questions come out of a batch as they went in, in order, with their publication', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(question, { minLength: 1 }), (batch, questions) => {
        const message = questions.map(encodeQuestion).reduce(joinPart, openQuestions(batch, publicationId));
        expect(decodeQuestions(message)).toEqual({ batch, publicationId, questions });
      }),
    );
  });

  test('any answers come out of a run as they went in, in order, with their position', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.array(answer, { minLength: 1 }), (batch, start, answers) => {
        const message = answers.map(encodeAnswer).reduce(joinPart, openAnswers(batch, start));
        expect(decodeAnswers(message)).toEqual({ batch, start, answers });
      }),
    );
  });

  test('a batch cut short is a bug that is not passed over', () => {
    const search: Question = {
      kind: 'search',
      q: 'bank',
      country: null,
      status: null,
      after: null,
      limit: 20,
    };
    const message = joinPart(openQuestions(1, publicationId), encodeQuestion(search));
    const cut = message.slice(0, message.lastIndexOf('\0'));
    expect(() => decodeQuestions(cut)).toThrow('middle of a question');
  });

  test('an unknown code is a bug that is not passed over', () => {
    expect(() => decodeQuestions(joinPart(openQuestions(1, publicationId), '?A'))).toThrow('unknown code');
    expect(() => decodeAnswers(joinPart(openAnswers(1, 0), '?'))).toThrow('unknown code');
    expect(() => decodeAnswers(joinPart(openAnswers(1, 0), 'f{}'))).toThrow('notice flags');
  });
});
