/** Collects the last use of each key, in every front and for all of them, until the directory has saved it. */
import type { AccountDirectory } from '../../ports/account-directory.ts';
import type { NoteUse } from './key-ring.ts';

export interface KeyUses {
  readonly note: NoteUse;
  /** Saves the uses in the directory. After a failure the next call includes them. */
  save(accounts: Pick<AccountDirectory, 'noteUses'>): Promise<void>;
}

export function keyUses(): KeyUses {
  let used = new Map<string, number>();
  const note: NoteUse = (keyId, second) => {
    used.set(keyId, Math.max(second, used.get(keyId) ?? 0));
  };
  return {
    note,
    async save(accounts) {
      if (used.size === 0) return;
      const saving = used;
      used = new Map();
      try {
        await accounts.noteUses(saving);
      } catch (error) {
        for (const [keyId, second] of saving) note(keyId, second);
        throw error;
      }
    },
  };
}
