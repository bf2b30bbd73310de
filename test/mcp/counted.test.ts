/** Tests what the metrics and the request log see of a call of a tool. */
import { afterAll, expect, test } from 'bun:test';
import { company, startInMemory } from '../http/app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const headers = { 'Content-Type': 'application/json' };

async function send(message: object) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  const response = await fetch(`${service.baseUrl}/mcp`, { method: 'POST', headers, body });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

test('A call of a tool is seen twice under one id, as mcp and as its operation; another message is seen once', async () => {
  const params = { name: 'look_up', arguments: { lei: company.lei } };
  const ofCall = await send({ method: 'tools/call', params });
  const ofPing = await send({ method: 'ping' });
  const seen = service.requestsSeen.map(({ operation, requestId }) => [operation, requestId]);
  expect(seen).toEqual([
    ['getCompanyByLei', ofCall],
    ['mcp', ofCall],
    ['mcp', ofPing],
  ]);
});
