/** The contract that every {@link Observer} keeps. */
import { expect, test } from 'bun:test';
import type { Observer, RequestSeen } from '../../src/ports/observer.ts';

export const requestSeen: RequestSeen = {
  time: Date.UTC(2026, 9, 4, 16),
  method: 'GET',
  operation: 'getCompanyByLei',
  route: '/api/v1/companies/{lei}',
  about: null,
  status: 200,
  durationMs: 0.25,
  requestId: 'req-1',
  caller: null,
  datasetVersion: null,
  bytes: 2_048,
  violatedPolicies: [],
  traceId: null,
};

/** The arguments of an observed question: kind, milliseconds of waiting, milliseconds of the answer. */
export const questionSeen = ['company', 0.1, 0.02] as const satisfies Parameters<Observer['question']>;

export function observerContract(name: string, make: () => Observer): void {
  test(`${name} always gives the same answer about what it watches`, () => {
    const observer = make();
    const before = [observer.watchesRequests, observer.watchesQuestions];
    tellEverything(observer);
    expect([observer.watchesRequests, observer.watchesQuestions]).toEqual(before);
  });

  test(`${name} accepts every event without throwing, unwatched ones too`, () => {
    expect(() => tellEverything(make())).not.toThrow();
  });

  test(`${name} keeps no reference to a record, so one frozen record can be reported twice`, () => {
    const observer = make();
    const request = Object.freeze({ ...requestSeen });
    expect(() => {
      for (const _ of [1, 2]) observer.request(request);
    }).not.toThrow();
    expect(request).toEqual(requestSeen);
  });
}

export function tellEverything(observer: Observer): void {
  observer.arrived();
  observer.request(requestSeen);
  observer.question(...questionSeen);
  for (const outcome of ['ok', 'failed'] as const) {
    observer.swap(outcome);
    observer.load(outcome);
  }
  observer.threadEnded('query', 'it ended');
}
