/** Tests that a stop also ends a front that is just being started in place of one that ended. */
import { expect, test } from 'bun:test';
import { startTestService } from '../../support/service.ts';
import { watchWorkers, workersOf } from '../../support/started-workers.ts';
import { until } from '../../support/steady-load.ts';

test('no front goes on after a stop that comes while a front is being replaced', async () => {
  watchWorkers();
  const service = await startTestService({ environment: { LEI_FRONTS: '2' } });
  const before = workersOf('front.ts');
  before[0]?.terminate();
  const replacements = () => workersOf('front.ts').filter((each) => !before.includes(each));
  await until(() => replacements().length > 0);
  const [replacement] = replacements();
  const ended = new Promise((resolve) => replacement?.addEventListener('close', resolve));
  await service.stop();
  // A thread that goes on would listen on the port and keep the process running.
  await ended;
  expect(workersOf('front.ts')).toEqual([]);
});
