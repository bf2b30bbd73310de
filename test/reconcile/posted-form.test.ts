/** Tests that a form is read as the platform reads one. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { PostedForm } from '../../src/reconcile/read-task.ts';

test('a form has the fields that URLSearchParams finds, whatever is sent', () => {
  const piece = fc.constantFrom(
    'queries',
    'extend',
    '=',
    '&',
    '+',
    '%',
    '%3D',
    '%26',
    '%71',
    '%ff',
    'ä',
    '😀',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const [form, expected] = [new PostedForm(text.split('&')), new URLSearchParams(text)];
      for (const name of ['queries', 'extend', 'q']) {
        expect([text, form.getAll(name), form.has(name)]).toEqual([
          text,
          expected.getAll(name),
          expected.has(name),
        ]);
      }
    }),
    { numRuns: 1_000 },
  );
});
