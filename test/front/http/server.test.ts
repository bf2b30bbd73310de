/** Tests that Elysia adds no promise of its own to a look-up (decision 053). */
import { expect, test } from 'bun:test';
import { createServer } from '../../../src/front/http/server.ts';
import { company } from './app-in-memory.ts';

test('the reply of a data endpoint reaches the server unchanged', () => {
  const reply = Promise.resolve(new Response());
  const unexpected = () => {
    throw new Error('Another handler was asked.');
  };
  const handlers = { data: () => reply, status: unexpected, reconcile: unexpected, page: unexpected };
  const server = createServer(handlers, unexpected, 30);
  const replyTo = (path: string) => server.fetch(new Request(`http://localhost${path}`));
  expect(replyTo(company.path)).toBe(reply);
  expect(replyTo('/api/v1/search?q=bank')).toBe(reply);
});
