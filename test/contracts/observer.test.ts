/** Tests that every observer fulfils the contract, and which events a joined one passes to whom. */
import { describe, expect, test } from 'bun:test';
import { readConfig } from '../../src/config.ts';
import { logObserver } from '../../src/log/log.ts';
import { blockOf, createMetricsMemory } from '../../src/metrics/blocks.ts';
import { meteringObserver } from '../../src/metrics/meter.ts';
import { joinObservers, nobody, type Observer, type RequestSeen } from '../../src/ports/observer.ts';
import { observerContract, requestSeen, tellEverything } from './observers.ts';

/** Records the names of the calls it receives. */
function recorder(watches: Pick<Observer, 'watchesRequests' | 'watchesQuestions'>) {
  const heard: string[] = [];
  const observer: Observer = {
    ...watches,
    arrived: () => heard.push('arrived'),
    request: ({ requestId }) => heard.push(`request ${requestId}`),
    question: (kind) => heard.push(`question ${kind}`),
    swap: (outcome) => heard.push(`swap ${outcome}`),
    load: (outcome) => heard.push(`load ${outcome}`),
    threadEnded: (role, reason) => heard.push(`${role} thread: ${reason}`),
  };
  return { observer, heard };
}

const everyRequest = readConfig({ LEI_LOG_REQUESTS: 'all' }).config.logRequests;
const everything = { watchesRequests: true, watchesQuestions: true };
const rareThings = { watchesRequests: false, watchesQuestions: false };
const rare = ['swap ok', 'load ok', 'swap failed', 'load failed', 'query thread: it ended'];

describe('an observer', () => {
  const silentLog = { requests: true, request: () => {} };
  const metrics = () => {
    const memory = createMetricsMemory({ operations: ['getCompanyByLei', 'unknown'], kinds: ['company'] }, [
      'main',
    ]);
    return meteringObserver(blockOf(memory, 'main'));
  };
  observerContract('nobody', () => nobody);
  observerContract('the log', () => logObserver(silentLog, everyRequest));
  observerContract('metrics', metrics);
  observerContract('one of several', () => joinObservers([metrics(), logObserver(silentLog, everyRequest)]));
});

describe('joined observers', () => {
  test('each receive every event that they watch', () => {
    const [all, few] = [recorder(everything), recorder(rareThings)];
    tellEverything(joinObservers([all.observer, few.observer]));
    expect(all.heard).toEqual(['arrived', 'request req-1', 'question company', ...rare]);
    expect(few.heard).toEqual(rare);
  });

  test('watch whatever any of them watches', () => {
    const joined = joinObservers([nobody, recorder({ ...rareThings, watchesRequests: true }).observer]);
    expect(joined).toMatchObject({ watchesRequests: true, watchesQuestions: false });
  });

  test('watch nothing if there are none', () => {
    expect(joinObservers([])).toBe(nobody);
  });
});

describe('the log as an observer', () => {
  /** The statuses of the requests that a rule has logged. */
  function logged(setting: string, requests: readonly (readonly [status: number, durationMs: number])[]) {
    const statuses: number[] = [];
    const { config, faults } = readConfig({ LEI_LOG_REQUESTS: setting });
    expect(faults).toEqual([]);
    const log = { requests: true, request: ({ status }: RequestSeen) => void statuses.push(status) };
    const observer = logObserver(log, config.logRequests);
    for (const [status, durationMs] of requests) observer.request({ ...requestSeen, status, durationMs });
    return statuses;
  }

  const quick = [200, 304, 400, 401, 404, 405, 429, 503].map((status) => [status, 1] as const);

  test('logs errors and slow requests by default; an unknown company and a used-up quota are not errors', () => {
    expect(logged('', [...quick, [200, 1_000], [404, 1_500]])).toEqual([400, 401, 405, 503, 200, 404]);
  });

  test('logs what its rule names, each request once', () => {
    expect(logged('all', [...quick, [200, 5_000]])).toEqual([...quick.map(([status]) => status), 200]);
    expect(
      logged('errors', [
        [200, 5_000],
        [503, 5_000],
      ]),
    ).toEqual([503]);
    expect(
      logged('slow:20', [
        [200, 19.9],
        [200, 20],
        [503, 1],
      ]),
    ).toEqual([200]);
    expect(logged('slow:20,slow:10', [[304, 10]])).toEqual([304]);
    expect(logged('off', [...quick, [200, 5_000]])).toEqual([]);
  });

  test('watches no request if rule or level exclude all', () => {
    const rule = (setting: string) => readConfig({ LEI_LOG_REQUESTS: setting }).config.logRequests;
    const watches = (requests: boolean, setting: string) =>
      logObserver({ requests, request: () => {} }, rule(setting)).watchesRequests;
    expect([watches(true, 'off'), watches(false, 'all')]).toEqual([false, false]);
    expect([watches(true, 'all'), watches(true, 'errors'), watches(true, 'slow:1')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
