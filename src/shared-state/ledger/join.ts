/** Joins a shared ledger from a thread other than the one that opened it. */
import type { Ledger } from '../../ports/ledger.ts';
import type { LedgerShare, StoreShare } from '../../ports/state.ts';
import { joinLocalLedger } from '../../state/ledger/local-ledger.ts';
import { SharedLedger } from './shared-ledger.ts';
import { SharedWords } from './shared-words.ts';

/** Resolves once it is connected, or the store is known to be away. */
export async function joinSharedLedger(
  share: LedgerShare,
  { url, down, words }: StoreShare,
  thread: number,
): Promise<Ledger> {
  const own = joinLocalLedger(share, thread);
  const ledger = new SharedLedger({ url, down, own, words: new SharedWords(words), thread });
  await ledger.start();
  return ledger;
}
