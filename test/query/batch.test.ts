/** Tests the parts of an answer to a batch. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { lineLimits } from '../../src/dispatch/limits.ts';
import { valueMark } from '../../src/protocol/ext-questions.ts';
import { answerBatch } from '../../src/query/batch.ts';
import { memoryPublication } from '../support/memory-publication.ts';

const leis = Array.from({ length: 8 }, (_, n) => `COMPANY000000000000${n}`);
const publication = memoryPublication({
  id: '20261004T160000Z-00000001',
  companies: leis.map((lei, n) => ({ lei, name: 'x'.repeat(n * 9_000) })),
});
const faulty = { value: 'no "lei"', problem: '{"status":400}' };
const items = fc.array(fc.constantFrom(...leis, 'UNKNOWN0000000000000', faulty), { maxLength: 60 });

/** @param room how many parts find room @returns the pieces of the body */
function piecesOf(asked: typeof items extends fc.Arbitrary<infer Value> ? Value : never, room: number) {
  const pieces: string[] = [];
  const handOn = (part: Uint8Array) => {
    if (pieces.length >= room) return false;
    pieces.push(Buffer.from(part).toString());
    return true;
  };
  const notFound = `{"detail":"${valueMark} is unknown"}`;
  const question = { kind: 'batch', of: 'lei', items: asked, notFound, inParts: true } as const;
  const answer = answerBatch(publication, question, handOn);
  if (answer.outcome !== 'found') throw new Error(answer.outcome);
  return [...pieces, Buffer.from(answer.data).toString()];
}

test('the parts of any batch, and the rest once the front falls behind, add up to the whole answer', () => {
  fc.assert(
    fc.property(items, fc.nat({ max: 12 }), (asked, room) => {
      const [whole = ''] = piecesOf(asked, 0);
      expect(JSON.parse(whole).items).toHaveLength(asked.length);
      const pieces = piecesOf(asked, room);
      expect(pieces.join('')).toBe(whole);
      for (const part of pieces.slice(0, -1))
        expect(part.length).toBeGreaterThanOrEqual(lineLimits.partBytes);
    }),
  );
});

test('a batch of long answers comes in parts, and one of short answers in one piece', () => {
  const long = Array.from({ length: 20 }, () => leis[7] ?? '');
  const short = Array.from({ length: 20 }, () => leis[0] ?? '');
  expect(piecesOf(long, 100).length).toBeGreaterThan(5);
  expect(piecesOf(short, 100)).toHaveLength(1);
});
