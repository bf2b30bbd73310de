import { expect, test } from 'bun:test';
import { serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';

/** `npm run test:long` kills more often. */
const [kills, fronts] = process.env['LONG_KILLS'] === undefined ? [2, [2]] : [15, [1, 2]];

/** Two fronts only, because the attack `crashes` kills a service with one front. */
test.each(fronts)(
  'a client gets no more than its day from a service that is killed again and again (fronts: %d)',
  async (fronts) => {
    const dataDir = await copiedSample();
    const environment = { LEI_LIMITS: 'enforce', LEI_WORKERS: '1', LEI_FRONTS: String(fronts) };
    const statuses: Record<number, number> = {};
    for (let kill = 0; kill < kills; kill++) {
      const served = await serve(dataDir, environment);
      for (let request = 0; request < 150 / kills; request++) {
        const { status } = await served.get('/api/v1/lei/7LTWFZYICNSX8D621K86', { keepalive: false });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      served.kill('SIGKILL');
      await served.exited;
    }
    expect(statuses).toEqual({ 200: 100, 429: 50 });
  },
);
