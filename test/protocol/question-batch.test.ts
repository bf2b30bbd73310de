import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { identifierKinds } from '../../src/lei/identifier-kinds.ts';
import { decodeBatch, joinQuestion, openBatch, type TextQuestion } from '../../src/protocol/questions.ts';
import { searchForBank } from '../support/questions.ts';

const publicationId = '20261004T160000Z-3f9a1c2b';
/** Any text that a request can contain: every plane of Unicode, but no control characters. */
const text = fc
  .string({ unit: 'binary', minLength: 1 })
  .map((value) => value.toWellFormed().replace(/[\u0000-\u001f]/g, ' '));
const textOrNull = fc.option(text, { nil: null });
const lei = fc.stringMatching(/^[0-9A-Z]{18}[0-9]{2}$/);
const limit = fc.integer({ min: 1, max: 100 });

const question: fc.Arbitrary<TextQuestion> = fc.oneof(
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
);

describe('a batch of questions', () => {
  test('is decoded to the same questions, in order, with their publication and the costs of their clients', () => {
    const asked = fc.array(fc.tuple(question, fc.nat()), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer(), asked, (batch, each) => {
        const message = each.reduce(
          (text, [one, clientMs]) => joinQuestion(text, one, clientMs),
          openBatch(batch, publicationId),
        );
        const questions = each.map(([one]) => one);
        const clientMs = each.map(([, ms]) => ms);
        expect(decodeBatch(message)).toEqual({ batch, publicationId, questions, clientMs });
      }),
    );
  });

  test('that was cut short throws', () => {
    const message = joinQuestion(openBatch(1, publicationId), searchForBank);
    const cut = message.slice(0, message.lastIndexOf('\0'));
    expect(() => decodeBatch(cut)).toThrow('middle of a question');
  });

  test('with an unknown code throws', () => {
    expect(() => decodeBatch(`${openBatch(1, publicationId)}\0?A`)).toThrow('unknown code');
  });
});
