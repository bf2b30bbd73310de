import { describe } from 'bun:test';
import { accountDirectoryContract } from './account-directory.contract.ts';
import { installations } from './installation.ts';
import { ledgerContract } from './ledger.contract.ts';
import { secretsContract } from './secrets.contract.ts';

for (const [name, install] of Object.entries(installations)) {
  describe(`${name}, as a directory of accounts`, () => accountDirectoryContract(install));
  describe(`${name}, as a ledger`, () => ledgerContract(install));
  describe(`${name}, for secrets`, () => secretsContract(install));
}
