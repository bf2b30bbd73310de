import { expect, test } from 'bun:test';
import { openTables } from '../../../src/accounts/state/account-tables.ts';
import { openSessions } from '../../../src/accounts/state/local-sessions.ts';
import { openState } from '../../../src/lmdb.ts';
import { sessionLimits, sessionMs } from '../../../src/ports/sessions.ts';
import { temporaryFolder } from '../../support/folders.ts';

/** 21 November 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 10, 21, 12);
const digestOf = (id: number) => Buffer.alloc(32, id).toString('base64');

test('sessions of all accounts are limited in number, until some expire', async () => {
  const environment = openState(temporaryFolder('sessions'));
  const write = async <Result>(change: () => Result) => environment.transactionSync(change);
  const bounds = { ...sessionLimits, inAllMax: 3 };
  const sessions = openSessions(environment, openTables(environment), write, bounds);
  const open = (id: number, openedAt: number) =>
    sessions.open(digestOf(id), { accountId: `acc_${id}`, keyId: `key_${id}`, openedAt });
  expect([await open(1, noon), await open(2, noon + 1), await open(3, noon + 2)]).toEqual([true, true, true]);
  expect(await open(4, noon + sessionMs - 1)).toBe(false);
  expect(await open(5, noon + sessionMs + 1)).toBe(true);
  expect(await open(6, noon + sessionMs + 1)).toBe(true);
  expect(await open(7, noon + sessionMs + 1)).toBe(false);
  await sessions.end(digestOf(5));
  expect(await open(8, noon + sessionMs + 1)).toBe(true);
  await environment.close();
});
