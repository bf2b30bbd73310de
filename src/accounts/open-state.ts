/**
 * Chooses the implementation of each port, in one place. `cli.ts` passes them to the commands and to the service, which
 * know the ports only. The code for shared state is imported only if it is configured.
 */
import packageJson from '../../package.json' with { type: 'json' };
import type { JoinLedger, OpenFleet, OpenState } from '../ports/state.ts';
import { layout } from '../publication/layout.ts';
import { joinLocalLedger } from './state/ledger/local-ledger.ts';
import { openLocalState } from './state/local-state.ts';

const { version } = packageJson;

/** Accounts, counts and secrets: in files of the data folder, or in the store that the nodes of a fleet share. */
export const openState = (async ({ dataDir, sharedState, sharedDown, node }, user, secrets) => {
  if (sharedState === null) {
    return openLocalState(layout(dataDir), user === 'service' ? 'lmdb' : 'caller', secrets);
  }
  const { openSharedState } = await import('./shared-state/open-shared-state.ts');
  const store = { url: sharedState, down: sharedDown };
  return openSharedState({ ...store, node, version, user, layout: layout(dataDir), secrets });
}) satisfies OpenState;

/** The counts of the thread that opened the state. */
export const joinLedger: JoinLedger = (share, thread) =>
  share.store === null ? joinLocalLedger(share, thread) : joinShared(share, share.store, thread);

async function joinShared(...parts: Parameters<JoinSharedLedger>) {
  const { joinSharedLedger } = await import('./shared-state/ledger/shared-ledger.ts');
  return joinSharedLedger(...parts);
}
type JoinSharedLedger = typeof import('./shared-state/ledger/shared-ledger.ts').joinSharedLedger;

export const openFleet: OpenFleet = async ({ sharedState, node }) => {
  if (sharedState === null) return null;
  const shared = await import('./shared-state/nodes.ts');
  return shared.openFleet(sharedState, node, version);
};
