import { expect, test } from 'bun:test';
import { clauseOf, reasonOf } from '../src/errors.ts';

test('the reason names every error of an end in which several parts could not be closed', async () => {
  const parts = new AsyncDisposableStack();
  for (const reason of ['the last', 'the second', 'the first']) {
    parts.defer(() => {
      throw new Error(reason);
    });
  }
  const error: unknown = await parts.disposeAsync().catch((thrown: unknown) => thrown);
  expect(reasonOf(error)).toBe('the first; the second; the last');
});

test('a reason at the end of a sentence has no mark of its own, so that the sentence ends in one', () => {
  expect(clauseOf(new Error('The socket was closed.'))).toBe('The socket was closed');
  expect(clauseOf(new Error('no such file'))).toBe('no such file');
});

test('the reason why a connection was closed has no advice for programmers', async () => {
  const closing = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.terminate() },
  });
  const failure: unknown = await fetch(`http://127.0.0.1:${closing.port}/`).catch((error: unknown) => error);
  closing.stop(true);
  expect(reasonOf(failure)).toEndWith('The socket connection was closed unexpectedly.');
});
