/** The contract that every {@link Sessions} keeps. Time is a parameter. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { noOwnLimits } from '../../src/ports/account-directory.ts';
import { sessionLimits, sessionMs } from '../../src/ports/sessions.ts';
import type { State } from '../../src/ports/state.ts';
import type { Installation } from './installation.ts';

/** 21 November 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 10, 21, 12);
const digestOf = (id: number | string) => createHash('sha256').update(`session ${id}`).digest('base64');

/** @param install makes an empty installation */
export function sessionsContract(install: () => Installation): void {
  let installation: Installation;
  let state: State;
  let accountId: string;
  let keyId: string;

  const createAccount = async (email: string) => {
    const applicant = { email, company: 'Analytical Engines', use: 'Tests' };
    const made = await state.accounts.create(applicant, noOwnLimits, new Date(noon));
    if (made.outcome !== 'created') throw new Error(`No account was made: ${made.outcome}`);
    return made;
  };
  const open = (id: number | string, openedAt = noon) =>
    state.sessions.open(digestOf(id), { accountId, keyId, openedAt });
  const found = async (id: number | string, now = noon) =>
    (await state.sessions.find(digestOf(id), now)) !== null;

  beforeEach(async () => {
    installation = install();
    state = await installation.open();
    const { account, key } = await createAccount('ada@example.com');
    accountId = account.id;
    keyId = key.id;
  });
  afterEach(() => state.close());

  test('a session is found by its digest only', async () => {
    expect(await open('a')).toBe(true);
    expect(await state.sessions.find(digestOf('a'), noon)).toEqual({ accountId, keyId, openedAt: noon });
    for (const digest of ['', digestOf('b'), digestOf('a').toLowerCase(), 'x'.repeat(5_000)]) {
      expect(await state.sessions.find(digest, noon)).toBeNull();
    }
  });

  test('a session lasts an hour, even if the clock is set back', async () => {
    await open('a');
    expect(await found('a', noon + sessionMs - 1)).toBe(true);
    expect(await found('a', noon + sessionMs)).toBe(false);
    expect(await found('a', noon - sessionMs)).toBe(false);
    expect(await state.sessions.claim(digestOf('a'), 'form', noon + sessionMs)).toBe('ended');
  });

  test('a session survives a restart', async () => {
    await open('a');
    await state.sessions.claim(digestOf('a'), 'form', noon);
    await state.close();
    state = await installation.open();
    expect(await found('a')).toBe(true);
    expect(await state.sessions.claim(digestOf('a'), 'form', noon)).toBe('sent-before');
  });

  test('a session is known to all processes of the installation, and ends in all of them', async () => {
    const other = await installation.open();
    await open('a');
    expect(await other.sessions.find(digestOf('a'), noon)).not.toBeNull();
    await other.sessions.end(digestOf('a'));
    expect(await found('a')).toBe(false);
    await other.close();
  });

  test('signing out ends a session and leaves others open', async () => {
    await open('a');
    await open('b');
    await state.sessions.end(digestOf('a'));
    await state.sessions.end(digestOf('never opened'));
    expect([await found('a'), await found('b')]).toEqual([false, true]);
  });

  test('a session ends when anybody revokes the key that opened it, but not another key', async () => {
    const other = await state.accounts.createKey(accountId, new Date(noon));
    if (other.outcome !== 'created') throw new Error(other.outcome);
    await open('first key');
    keyId = other.key.id;
    await open('second key');
    const command = await installation.open();
    await command.accounts.revokeKey(keyId, new Date(noon));
    await command.close();
    expect([await found('first key'), await found('second key')]).toEqual([true, false]);
    expect(await state.sessions.claim(digestOf('second key'), 'form', noon)).toBe('ended');
  });

  test('a session ends with its account', async () => {
    await open('a');
    await state.accounts.remove(accountId);
    expect(await found('a')).toBe(false);
  });

  test('a session pauses while its account is suspended', async () => {
    await open('a');
    await state.accounts.suspend(accountId, new Date(noon));
    expect(await found('a')).toBe(false);
    await state.accounts.resume(accountId);
    expect(await found('a')).toBe(true);
  });

  test('a session of an unknown key is never found', async () => {
    keyId = 'key_nobody';
    await open('a');
    expect(await found('a')).toBe(false);
  });

  test('opening one session too many ends the account’s oldest, and no other account’s', async () => {
    for (let id = 0; id < sessionLimits.perAccountMax; id++) await open(id, noon + id);
    const { account, key } = await createAccount('bob@example.com');
    const mine = { accountId, keyId };
    ({ accountId, keyId } = { accountId: account.id, keyId: key.id });
    await open('bob');
    ({ accountId, keyId } = mine);
    await open('further', noon + 100);
    const left = [];
    for (let id = 0; id < sessionLimits.perAccountMax; id++) if (await found(id)) left.push(id);
    expect(left).toEqual(Array.from({ length: sessionLimits.perAccountMax - 1 }, (_, id) => id + 1));
    expect([await found('bob'), await found('further')]).toEqual([true, true]);
  });

  test('a form can be submitted once per session, even if it is sent twice at the same moment', async () => {
    await open('a');
    await open('b');
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => state.sessions.claim(digestOf('a'), 'form', noon)),
    );
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'sent-before')).toHaveLength(7);
    expect(await state.sessions.claim(digestOf('a'), 'another', noon)).toBe('claimed');
    expect(await state.sessions.claim(digestOf('b'), 'form', noon)).toBe('claimed');
    expect(await state.sessions.claim(digestOf('c'), 'form', noon)).toBe('ended');
  });

  test('a session accepts a bounded number of forms', async () => {
    await open('a');
    const names = Array.from({ length: sessionLimits.formsMax + 1 }, (_, n) => `form ${n}`);
    const claims = await Promise.all(names.map((name) => state.sessions.claim(digestOf('a'), name, noon)));
    expect(claims.filter((claim) => claim === 'too-many')).toHaveLength(1);
    expect(await found('a')).toBe(true);
  });

  test('expired sessions are deleted, others stay', async () => {
    await open('over');
    await open('running', noon + 1);
    await state.sessions.forgetEnded(noon + sessionMs);
    expect(await found('running', noon + sessionMs)).toBe(true);
    // The session is forgotten, not only expired: it is not found even at a time when it was valid.
    expect(await found('over')).toBe(false);
  });
}
