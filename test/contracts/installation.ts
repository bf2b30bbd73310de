/** Makes installations of each implementation of the state ports, for the contract tests. */
import { openSharedState } from '../../src/accounts/shared-state/open-shared-state.ts';
import { openLocalState } from '../../src/accounts/state/local-state.ts';
import type { Demand } from '../../src/ports/ledger.ts';
import type { State } from '../../src/ports/state.ts';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import type { RedisServer } from '../support/redis.ts';

/** One installation; every opening has the same accounts, counts and secrets. */
export interface Installation {
  open(): Promise<State>;
}

/** The demand of a look-up, unless `given` says otherwise. */
export function demandOf(
  { caller, policy, now }: Pick<Demand, 'caller' | 'policy' | 'now'>,
  given: Partial<Demand>,
): Demand {
  return {
    caller,
    policy,
    window: 'lookup',
    units: 1,
    countsForDay: true,
    refusable: true,
    now,
    ...given,
  };
}

export const installations: Readonly<Record<string, () => Installation>> = {
  'the local state of a service': () => local('lmdb'),
  'the local state of a command': () => local('caller'),
};

/** @param server an empty Redis server with very many databases; each installation takes one */
export function sharedInstallations(server: () => RedisServer): () => Installation {
  let database = 0;
  return () => {
    const parts = {
      url: `${server().url}/${database++}`,
      down: 'share',
      node: 'node',
      version: '1.2.3',
      layout: layout(temporaryFolder('contract')),
      user: 'service',
      clock: 'demand',
      waiting: 'caller',
      // A store that is slow because the machine is busy must not count as away.
      deadlineMs: 10_000,
    } as const;
    return { open: () => openSharedState(parts) };
  };
}

function local(waiting: 'lmdb' | 'caller'): Installation {
  const paths = layout(temporaryFolder('contract'));
  return { open: async () => openLocalState(paths, waiting) };
}
