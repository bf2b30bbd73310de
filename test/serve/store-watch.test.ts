import { expect, test } from 'bun:test';
import type { StoreFacts } from '../../src/ports/fleet.ts';
import { watchStore } from '../../src/serve/store-watch.ts';
import { memoryLog } from '../support/log.ts';
import { until } from '../support/steady-load.ts';

test('a store that is lost and comes back is logged once each, with each reason, and one that was never lost is not', async () => {
  const [found, log] = [memoryLog(), memoryLog()];
  const here: StoreFacts = {
    ...{ lost: null, nodes: 2, namesake: null, calls: 9, failedCalls: 0, callSeconds: 1, requests: 9 },
    ...{ refusedFromMemory: 0, admittedAlone: 7, refusedAlone: 1 },
  };
  let facts = here;
  let looks = 0;
  const stop = watchStore(
    {
      facts() {
        looks++;
        return facts;
      },
    },
    log,
  );
  watchStore({ facts: () => here }, found)();
  expect([...log.lines, ...found.lines]).toEqual([]);
  facts = { ...here, lost: 'it closed the connection' };
  await until(() => log.lines.length === 1);
  // As work says that failed with it.
  facts = { ...here, lost: 'The shared state is unavailable: it closed the connection.' };
  const before = looks;
  await until(() => looks > before);
  facts = { ...here, lost: 'it has format 2' };
  await until(() => log.lines.length === 2);
  facts = here;
  await until(() => log.lines.length === 3);
  stop();
  expect(log.lines).toMatchObject([
    {
      message: expect.stringContaining('unavailable'),
      fields: { reason: 'it closed the connection', nodes: 2 },
    },
    { message: expect.stringContaining('still unavailable'), fields: { reason: 'it has format 2' } },
    { message: expect.stringContaining('is back'), fields: { admittedAlone: 7, refusedAlone: 1 } },
  ]);
});
