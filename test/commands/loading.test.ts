/** Tests what a loading command reports to a running service. */

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { serviceTeller } from '../../src/commands/loading.ts';
import type { ControlRequest } from '../../src/protocol/control.ts';
import { controlLimits } from '../../src/protocol/control-limits.ts';
import { type ControlServer, serveControl } from '../../src/protocol/control-server.ts';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';

let server: ControlServer | null = null;
afterEach(() => {
  setSystemTime();
  server?.stop();
  server = null;
});

/** A service that listens. @returns the next report */
function listen(path: string): () => Promise<ControlRequest> {
  const told = new ReadableStream<ControlRequest>({
    start(controller) {
      server = serveControl(path, async (request) => {
        controller.enqueue(request);
        return { ok: true, value: null };
      });
    },
  }).getReader();
  return async () => {
    const { value } = await told.read();
    if (value === undefined) throw new Error('The service was told nothing.');
    return value;
  };
}

test('a load repeats its progress until it ends, even while nothing changes', async () => {
  const paths = layout(temporaryFolder('teller'));
  const next = listen(paths.controlSocket);
  let again = () => {};
  let ended = false;
  const teller = serviceTeller(paths, true, (action) => {
    again = action;
    return () => {
      ended = true;
    };
  });
  // There is nothing to report before it has begun.
  again();
  teller.loading('verifying', 0.8);
  const told = { op: 'loading', loading: { phase: 'verifying', progress: 0.8 }, failure: null };
  expect(await next()).toMatchObject(told);
  again();
  expect(await next()).toMatchObject(told);
  expect(ended).toBe(false);
  await teller.done('no room');
  expect(ended).toBe(true);
  const failure = { phase: 'verifying', message: 'no room' };
  expect(await next()).toMatchObject({ op: 'loading', loading: null, failure, outcome: 'failed' });
});

test('the end of a download, and of a load refused because another runs, is reported, but not as the end of a load', async () => {
  const paths = layout(temporaryFolder('teller'));
  const next = listen(paths.controlSocket);
  const teller = serviceTeller(paths, true, () => () => {});
  teller.loading('downloading', 0.5);
  await next();
  await teller.over(null);
  expect(await next()).toEqual({ op: 'loading', loading: null, failure: null });
  await serviceTeller(paths, true, () => () => {}).over('gone', 'looking');
  expect(await next()).toMatchObject({ failure: { phase: 'looking', message: 'gone' } });
});

test('a load that fails before its first progress is reported as failed while starting', async () => {
  const paths = layout(temporaryFolder('teller'));
  const next = listen(paths.controlSocket);
  await serviceTeller(paths, true, () => () => {}).done('no such file');
  const failure = { phase: 'starting', message: 'no such file' };
  expect(await next()).toMatchObject({ op: 'loading', loading: null, failure });
});

test('setting the clock back does not stop progress reports', async () => {
  const paths = layout(temporaryFolder('teller'));
  const next = listen(paths.controlSocket);
  const teller = serviceTeller(paths, true, () => () => {});
  teller.loading('verifying', 0.1);
  setSystemTime(Date.now() - 3_600_000);
  const first = await next();
  const second = next();
  const told = second.then(() => true);
  while (!(await Promise.race([told, Bun.sleep(20)]))) teller.loading('verifying', 0.2);
  expect([first, await second]).toMatchObject([
    { loading: { progress: 0.1 } },
    { loading: { progress: 0.2 } },
  ]);
});

test('a report in transit arrives before the final one, and only the latest of many is sent after it', async () => {
  const paths = layout(temporaryFolder('teller'));
  const next = listen(paths.controlSocket);
  const teller = serviceTeller(paths, true, () => () => {});
  for (const phase of ['reading', 'indexing', 'verifying']) teller.loading(phase, 0.5);
  expect([await next(), await next()]).toMatchObject([
    { loading: { phase: 'reading' } },
    { loading: { phase: 'verifying' } },
  ]);
  const ended = teller.done(null);
  expect(await next()).toMatchObject({ loading: null });
  await ended;
});

test('a service forgets a load only after several of its reports are missing', () => {
  expect(controlLimits.loadingSilentMsMax).toBeGreaterThan(3 * controlLimits.loadingRetoldMs);
});
