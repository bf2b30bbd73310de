import { expect, test } from 'bun:test';
import { serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';

test('a client gets no more than its day out of a service that is killed ten times', async () => {
  const dataDir = await copiedSample();
  const statuses: Record<number, number> = {};
  for (let kill = 0; kill < 10; kill++) {
    const served = await serve(dataDir, { LEI_LIMITS: 'enforce', LEI_WORKERS: '1' });
    for (let request = 0; request < 15; request++) {
      const { status } = await served.get('/api/v1/lei/7LTWFZYICNSX8D621K86');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    served.kill('SIGKILL');
    await served.exited;
  }
  expect(statuses).toEqual({ 200: 100, 429: 50 });
}, 120_000);
