import { describe } from 'bun:test';
import { accountDirectoryContract } from './account-directory.contract.ts';
import { installations } from './installation.ts';
import { ledgerContract } from './ledger.contract.ts';
import { secretsContract } from './secrets.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { tallyContract } from './tally.contract.ts';
import { usageContract } from './usage.contract.ts';

for (const [name, install] of Object.entries(installations)) {
  describe(`${name}, as an account directory`, () => accountDirectoryContract(install));
  describe(`${name}, as a ledger`, () => ledgerContract(install));
  describe(`${name}, as a store of secrets`, () => secretsContract(install));
  describe(`${name}, as a store of sessions`, () => sessionsContract(install));
  describe(`${name}, as a usage history`, () => usageContract(install));
  describe(`${name}, as a tally`, () => tallyContract(install));
}
