/** Tests which accounts a fleet has after its store has lost all of them. */
import { describe, expect, test } from 'bun:test';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const ada = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests' };
const bob = { ...ada, email: 'bob@example.com' };
const cy = { ...ada, email: 'cy@example.com' };

/** A node that reads the store whenever it is asked, and at no other time. */
function nodeOf({ url }: RedisServer, node: string) {
  const parts = { url, down: 'share', node, version: '1', user: 'command' } as const;
  const mine = { ...parts, layout: layout(temporaryFolder(node)) };
  return async (...created: readonly (typeof ada)[]) => {
    const state = await openSharedState(mine);
    for (const who of created) await state.accounts.create(who, noOwnLimits, noon);
    const emails = state.accounts.list().map(({ account }) => account.email);
    await state.close();
    return emails.sort();
  };
}

describe.if(isInstalled('redis-server'))(titled('a store that has lost everything', 'redis-server'), () => {
  test('has an account again that the node which filled it first had not heard of', async () => {
    const redis = await startRedis();
    const [one, two] = [nodeOf(redis, 'one'), nodeOf(redis, 'two')];
    await two(bob);
    await one(ada);
    await redis.command('FLUSHALL');
    expect(await two()).toEqual([bob.email]);
    expect(await one()).toEqual([ada.email, bob.email]);
    expect(await two()).toEqual([ada.email, bob.email]);
    expect(await one(cy)).toEqual([ada.email, bob.email, cy.email]);
    expect(await two()).toEqual([ada.email, bob.email, cy.email]);
    await redis.stop();
  });

  test('keeps what was changed after it was filled again, even from an older copy', async () => {
    const redis = await startRedis();
    const [one, two] = [nodeOf(redis, 'one'), nodeOf(redis, 'two')];
    await two(bob);
    await one(ada);
    await redis.command('FLUSHALL');
    await two(cy);
    expect(await one()).toEqual([bob.email, cy.email]);
    expect(await two()).toEqual([bob.email, cy.email]);
    await redis.stop();
  });
});
