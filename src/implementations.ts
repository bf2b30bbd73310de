/**
 * The one place that chooses the implementation behind each port. `cli.ts` hands them to the commands and to the
 * service, which know the ports only.
 */
import type { JoinLedger, OpenState } from './ports/state.ts';
import { layout } from './publication/layout.ts';
import { joinLocalLedger } from './state/ledger/local-ledger.ts';
import { openLocalState } from './state/local-state.ts';

/** Accounts, counts and secrets in files of the data folder. */
export const openState = (({ dataDir }, user) =>
  openLocalState(layout(dataDir), user === 'service' ? 'lmdb' : 'caller')) satisfies OpenState;

/** The counts of the thread that opened the state. */
export const joinLedger: JoinLedger = joinLocalLedger;
