/**
 * Runs a node in its own process whose demands have given times. Arguments: the store's address, the node's name, its
 * data folder. Each message is an epoch time in ms; the node asks ten times within the following second, and answers
 * with the admitted times.
 */
import { openSharedState } from '../../src/accounts/shared-state/open-shared-state.ts';
import { layout } from '../../src/publication/layout.ts';

const [url = '', node = '', folder = ''] = process.argv.slice(2);
const policy = { daily: 100_000, lookup: 300, search: 60 };
const state = await openSharedState({
  url,
  node,
  down: 'share',
  version: '1',
  layout: layout(folder),
  user: 'service',
  clock: 'demand',
  // A store that is slow because the machine is busy must not count as away.
  deadlineMs: 60_000,
});

async function ask(second: number): Promise<readonly number[]> {
  const kind = { window: 'lookup', units: 1, countsForDay: true, refusable: true } as const;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, count) =>
      state.ledger.take({ caller: 'acc_replay', policy, ...kind, now: second + count * 97 }),
    ),
  );
  return answers.filter(({ outcome }) => outcome === 'taken').map(({ quota }) => quota.now);
}

process.on('message', async (second) => process.send?.(await ask(Number(second))));
process.send?.([]);
