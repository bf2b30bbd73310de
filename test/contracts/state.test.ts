import { describe } from 'bun:test';
import { accountDirectoryContract } from './account-directory.contract.ts';
import { installations } from './installation.ts';
import { ledgerContract } from './ledger.contract.ts';
import { secretsContract } from './secrets.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { tallyContract } from './tally.contract.ts';
import { usageContract } from './usage.contract.ts';

for (const [name, install] of Object.entries(installations)) {
  describe(`${name}, as a directory of accounts`, () => accountDirectoryContract(install));
  describe(`${name}, as a ledger`, () => ledgerContract(install));
  describe(`${name}, for secrets`, () => secretsContract(install));
  describe(`${name}, for sessions`, () => sessionsContract(install));
  describe(`${name}, as a history of usage`, () => usageContract(install));
  describe(`${name}, as a tally`, () => tallyContract(install));
}
