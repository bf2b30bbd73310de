/** Tests that the shared state of a fleet fulfils the contracts of the local state, over a real Redis server. */
import { afterAll, beforeAll, describe } from 'bun:test';
import { isInstalled, titled } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { accountDirectoryContract } from './account-directory.contract.ts';
import { sharedInstallations } from './installation.ts';
import { ledgerContract } from './ledger.contract.ts';
import { secretsContract } from './secrets.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { tallyContract } from './tally.contract.ts';
import { usageContract } from './usage.contract.ts';

describe.if(isInstalled('redis-server'))(titled('the shared state of a fleet', 'redis-server'), () => {
  let redis: RedisServer;
  const install = sharedInstallations(() => redis);

  beforeAll(async () => {
    redis = await startRedis({ options: ['--databases', '10000'] });
  });
  afterAll(() => redis.stop());

  describe('as an account directory', () => accountDirectoryContract(install));
  describe('as a ledger', () => ledgerContract(install, 12));
  describe('as a store of secrets', () => secretsContract(install));
  describe('as a store of sessions', () => sessionsContract(install));
  describe('as a usage history', () => usageContract(install));
  describe('as a tally', () => tallyContract(install));
});
