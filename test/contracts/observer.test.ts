/** Every observer keeps the contract; what a joined one tells to whom. */
import { describe, expect, test } from 'bun:test';
import { logObserver } from '../../src/front/log-observer.ts';
import { joinObservers, nobody, type Observer } from '../../src/ports/observer.ts';
import { observerContract, requestSeen, tellEverything } from './observers.ts';

/** Writes down the names of the calls it gets. */
function recorder(watches: Pick<Observer, 'watchesRequests' | 'watchesQuestions'>) {
  const heard: string[] = [];
  const observer: Observer = {
    ...watches,
    request: ({ requestId }) => heard.push(`request ${requestId}`),
    question: ({ kind }) => heard.push(`question ${kind}`),
    swap: (outcome) => heard.push(`swap ${outcome}`),
    load: (outcome) => heard.push(`load ${outcome}`),
    threadEnded: (role, reason) => heard.push(`${role} thread: ${reason}`),
  };
  return { observer, heard };
}

const everything = { watchesRequests: true, watchesQuestions: true };
const rareThings = { watchesRequests: false, watchesQuestions: false };
const rare = ['swap ok', 'load ok', 'swap failed', 'load failed', 'query thread: it ended'];

describe('an observer', () => {
  const silentLog = { requests: true, request: () => {} };
  observerContract('nobody', () => nobody);
  observerContract('the log', () => logObserver(silentLog));
  observerContract('one of several', () => joinObservers([nobody, logObserver(silentLog)]));
});

describe('joined observers', () => {
  test('each hear all that they watch', () => {
    const [all, few] = [recorder(everything), recorder(rareThings)];
    tellEverything(joinObservers([all.observer, few.observer]));
    expect(all.heard).toEqual(['request req-1', 'question company', ...rare]);
    expect(few.heard).toEqual(rare);
  });

  test('watch what any of them watches', () => {
    const joined = joinObservers([nobody, recorder({ ...rareThings, watchesRequests: true }).observer]);
    expect(joined).toMatchObject({ watchesRequests: true, watchesQuestions: false });
  });

  test('of which there is none watch nothing', () => {
    expect(joinObservers([])).toBe(nobody);
  });
});

describe('the log as an observer', () => {
  test('writes a line for each request, where its level has them', () => {
    const lines: unknown[] = [];
    const observer = logObserver({ requests: true, request: (record) => lines.push(record) });
    tellEverything(observer);
    expect(observer.watchesRequests).toBe(true);
    expect(lines).toEqual([requestSeen]);
    expect(logObserver({ requests: false, request: () => {} }).watchesRequests).toBe(false);
  });
});
