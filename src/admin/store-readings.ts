/** Defines the metrics about the store that the nodes of a fleet share. */
import type { Reading, Sample } from '../metrics/text.ts';
import type { StoreFacts } from '../ports/fleet.ts';

export function storeReadings(facts: StoreFacts): readonly Reading[] {
  const { lost, nodes, calls, failedCalls, callSeconds, requests } = facts;
  return [
    reading('gauge', 'up', 'Whether this node reaches the shared state.', [{ value: lost === null ? 1 : 0 }]),
    reading('gauge', 'nodes', 'Nodes seen last, including this one.', [{ value: nodes }]),
    reading('counter', 'calls_total', 'Calls to the shared state that count requests, by outcome.', [
      { labels: { outcome: 'answered' }, value: calls },
      { labels: { outcome: 'failed' }, value: failedCalls },
    ]),
    reading('counter', 'call_seconds_total', 'Total time of the answered calls.', [{ value: callSeconds }]),
    reading('counter', 'requests_total', 'Requests in the answered calls, including refunds.', [
      { value: requests },
    ]),
    reading(
      'counter',
      'refused_from_memory_total',
      'Requests refused without a call, since the shared state had just refused the caller.',
      [{ value: facts.refusedFromMemory }],
    ),
    reading(
      'counter',
      'decided_alone_total',
      'Requests that this node decided while the shared state was unavailable.',
      [
        { labels: { outcome: 'admitted' }, value: facts.admittedAlone },
        { labels: { outcome: 'refused' }, value: facts.refusedAlone },
      ],
    ),
  ];
}

function reading(type: Reading['type'], name: string, help: string, samples: readonly Sample[]): Reading {
  return { name: `lei_shared_state_${name}`, help, type, samples };
}
