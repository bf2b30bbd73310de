/**
 * The one place that chooses the implementation behind each port. `cli.ts` hands them to the commands and to the
 * service, which know the ports only. What shares state over nodes is read only where it is configured.
 */
import packageJson from '../package.json' with { type: 'json' };
import type { JoinLedger, OpenFleet, OpenState } from './ports/state.ts';
import { layout } from './publication/layout.ts';
import { joinLocalLedger } from './state/ledger/local-ledger.ts';
import { openLocalState } from './state/local-state.ts';

/** Accounts, counts and secrets: in files of the data folder, or in the store that the nodes of a fleet share. */
export const openState = (async (config, user) => {
  const { dataDir, sharedState } = config;
  const local = openLocalState(layout(dataDir), user === 'service' ? 'lmdb' : 'caller');
  if (sharedState === null) return local;
  const { openFleet } = await import('./shared-state/open-fleet.ts');
  const { fleet, close } = await openFleet(sharedState, config.node, packageJson.version, true);
  return {
    ...local,
    fleet,
    async close() {
      close();
      await local.close();
    },
  };
}) satisfies OpenState;

/** The counts of the thread that opened the state. */
export const joinLedger: JoinLedger = joinLocalLedger;

export const openFleet: OpenFleet = async ({ sharedState, node }) => {
  if (sharedState === null) return null;
  const shared = await import('./shared-state/open-fleet.ts');
  return shared.openFleet(sharedState, node, packageJson.version, false);
};
