/** Tests quotas over several fronts in hard cases: hundreds of callers at once, and a day that ends under load. */
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted, withinMinute } from '../support/counted.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/serve.ts';
import { copiedSample, startTestService } from '../support/service.ts';

const fronts = '3';
const connections = 64;
const lookUp = '/api/v1/mic/XFRA';

test('several fronts give each of hundreds of addresses exactly its minute, all at once', async () => {
  const clients = 400;
  const environment = {
    LEI_FRONTS: fronts,
    LEI_LIMITS: 'enforce',
    LEI_BURST_LOOKUP: '2',
    LEI_TRUSTED_PROXIES: '127.0.0.1',
  };
  const service = await startTestService({ environment });
  const outcomes = await withinMinute((attempt) =>
    counted(clients * 3, connections, async (index) => {
      const client = index % clients;
      const headers = { 'X-Forwarded-For': `10.${attempt}.${client >> 8}.${client & 255}` };
      const response = await service.fetch(lookUp, { headers });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  await service.stop();
  expect(outcomes).toEqual({ 200: clients * 2, 429: clients });
});

test('several fronts start a new day together: a client that asks over midnight gets what two days allow', async () => {
  const daily = 30;
  const clock = join(temporaryFolder('clock'), 'ahead');
  let aheadMs = 0;
  const moveTo = (now: number) => {
    aheadMs = now - Date.now();
    writeFileSync(clock, new Float64Array([aheadMs]), { flag: 'r+' });
  };
  writeFileSync(clock, new Float64Array([0]));
  const service = await serve(await copiedSample(), {
    LEI_FRONTS: fronts,
    LEI_LIMITS: 'enforce',
    LEI_ANONYMOUS_DAILY: String(daily),
    BUN_OPTIONS: `--preload=${join(import.meta.dir, '..', 'support', 'moved-clock.ts')}`,
    MOVED_CLOCK: clock,
  });
  const ask = async () => {
    const response = await service.get(lookUp);
    await response.arrayBuffer();
    return response.status;
  };
  const dayMs = 86_400_000;
  const midnight = (Math.floor(Date.now() / dayMs) + 2) * dayMs;
  moveTo(midnight - 3_600_000);
  expect(await counted(200, connections, ask)).toEqual({ 200: daily, 429: 200 - daily });
  moveTo(midnight - 300);
  // Nothing is left of the ending day, so whatever is admitted belongs to the next.
  let admitted = 0;
  while (Date.now() + aheadMs < midnight + 300) admitted += (await counted(100, connections, ask))[200] ?? 0;
  expect(admitted).toBe(daily);
  service.kill('SIGTERM');
  await service.exited;
});
