import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newSecret } from '../../../src/accounts/state/key.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import { askOf, leftOf, noon, Opened, rowsOf } from '../../support/open-access.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const midnight = noon + 12 * hour;

let opened: Opened;

beforeEach(async () => {
  opened = await Opened.open();
});
afterEach(() => opened.close());

async function openedWith(settings: Readonly<Record<string, string>>): Promise<void> {
  await opened.close();
  opened = await Opened.open(settings);
}

/** Sends requests of one client, refunds those that fail, and returns the times of those that were served. */
function servedOf(requests: readonly (readonly [gap: number, failsAfter: number | null])[], peer: string) {
  const failing: { readonly at: number; readonly refund: () => void }[] = [];
  const served: number[] = [];
  let now = noon;
  for (const [gap, failsAfter] of requests) {
    now += gap;
    for (const one of failing.splice(0)) {
      if (one.at <= now) one.refund();
      else failing.push(one);
    }
    const admission = opened.ask({ peer, now });
    if (admission.outcome !== 'admitted') continue;
    if (failsAfter === null) served.push(now);
    else failing.push({ at: now + failsAfter, refund: () => void admission.refund() });
  }
  return served;
}

describe('an admitted request', () => {
  test('without a key costs its address one request of the day and one of the minute, and reports the rest', () => {
    const admission = opened.ask();
    expect(admission).toMatchObject({
      outcome: 'admitted',
      quota: {
        now: noon,
        policy: { daily: 100, lookup: 300, search: 60 },
        window: 'lookup',
        dailyLeft: 99,
        burstLeft: 299,
        dailyReturnsAt: midnight,
        burstReturnsAt: noon + minute,
      },
    });
    expect(admission.caller).toMatch(/^ip_/);
  });

  test('with a key is charged to its account', async () => {
    const { id, header } = await opened.account();
    const admission = opened.ask({ authorization: header, window: 'search' });
    expect(admission).toMatchObject({
      outcome: 'admitted',
      caller: id,
      quota: { policy: { daily: 1_000 }, window: 'search', dailyLeft: 999, burstLeft: 59 },
    });
  });

  test('with a key is admitted without reading the client address, which takes a system call', async () => {
    const { id, header } = await opened.account();
    const request = {
      ...askOf({ authorization: header }),
      get peer(): string {
        throw new Error('The address was asked for.');
      },
    };
    expect(await opened.access.admit(request)).toMatchObject({ outcome: 'admitted', caller: id });
  });

  test('reports when its units are restored', async () => {
    await openedWith({ LEI_BURST_LOOKUP: '1' });
    const returnsAt = opened.ask({ now: noon + 250 }).quota?.burstReturnsAt ?? Number.NaN;
    expect(returnsAt).toBe(noon + 250 + minute);
    expect(opened.ask({ now: returnsAt - 1 }).outcome).toBe('exhausted');
    expect(opened.ask({ now: returnsAt }).outcome).toBe('admitted');
  });

  test('reports when the oldest request of its minute is restored', () => {
    opened.ask();
    expect(leftOf(opened.ask({ now: noon + 10_500 }))).toEqual({ daily: 98, burst: 298, returnsIn: 50 });
  });

  test('of several units costs that many, and is refused as a whole if fewer are left', () => {
    expect(leftOf(opened.ask({ units: 90 }))).toMatchObject({ daily: 10, burst: 210 });
    expect(opened.ask({ units: 11 })).toMatchObject({ outcome: 'exhausted', violatedPolicies: ['daily'] });
    expect(leftOf(opened.ask({ units: 10 }))).toMatchObject({ daily: 0, burst: 200 });
  });

  test('is refunded once if it could not be served', () => {
    const admission = opened.ask();
    if (admission.outcome !== 'admitted') throw new Error('It was not admitted.');
    const whole = { dailyLeft: 100, burstLeft: 300, burstReturnsAt: noon + minute };
    expect(admission.refund()).toMatchObject(whole);
    expect(admission.refund()).toMatchObject(whole);
    expect(leftOf(opened.ask())).toMatchObject({ daily: 99, burst: 299 });
  });

  test('that the service fails to answer costs nothing ten times a minute, and then one of the burst', async () => {
    const caller = opened.ask().caller;
    const left = () => leftOf(opened.ask());
    for (let failure = 0; failure < 10; failure++) await opened.access.serviceFailed(caller, 'lookup', noon);
    expect(left()).toMatchObject({ daily: 98, burst: 298 });
    for (let failure = 0; failure < 3; failure++) await opened.access.serviceFailed(caller, 'lookup', noon);
    expect(left()).toMatchObject({ daily: 97, burst: 294 });
    await opened.access.serviceFailed(caller, 'lookup', noon + minute);
    expect(leftOf(opened.ask({ now: noon + minute }))).toMatchObject({ burst: 299 });
  });

  test('with a late refund makes no other admission older: no minute has more than the limit', async () => {
    await openedWith({ LEI_BURST_LOOKUP: '10', LEI_ANONYMOUS_DAILY: '1000000' });
    const failsAfter = (share: number) => (index: number) => (index % share === 0 ? 5 * second : null);
    for (const [client, gap] of [100, 400, 700].entries()) {
      const failing = failsAfter(2 + client);
      const requests = Array.from({ length: 300 }, (_, index) => [gap, failing(index)] as const);
      const served = servedOf(requests, `198.51.100.${client}`);
      const inMinutes = served.map((first) =>
        served.filter((time) => time >= first && time < first + minute),
      );
      expect(Math.max(...inMinutes.map(({ length }) => length))).toBeLessThanOrEqual(10);
    }
  });

  test('with a late refund leaves later admissions in place', async () => {
    await openedWith({ LEI_BURST_LOOKUP: '2' });
    const failing = opened.ask();
    opened.ask({ now: noon + 10 * second });
    if (failing.outcome !== 'admitted') throw new Error('It was not admitted.');
    failing.refund();
    expect(opened.ask({ now: noon + 20 * second }).outcome).toBe('admitted');
    expect(opened.ask({ now: noon + 70 * second - 1 }).outcome).toBe('exhausted');
    expect(opened.ask({ now: noon + 70 * second }).outcome).toBe('admitted');
  });

  test('from before midnight is not refunded to the new day', () => {
    const admission = opened.ask({ now: midnight - 1 });
    if (admission.outcome !== 'admitted') throw new Error('It was not admitted.');
    opened.ask({ now: midnight });
    expect(admission.refund()?.dailyLeft).toBe(99);
  });
});

describe('the quotas', () => {
  test('of a day are exact, reset at midnight UTC, and a refusal costs nothing', () => {
    expect(opened.askTimes(150)).toEqual({ admitted: 100, unauthorized: 0, exhausted: 50 });
    expect(opened.ask({ now: midnight - 1 })).toMatchObject({
      outcome: 'exhausted',
      violatedPolicies: ['daily'],
      returnsAt: midnight,
      quota: { dailyLeft: 0, burstLeft: 300, dailyReturnsAt: midnight },
    });
    expect(opened.askTimes(150, { now: midnight })).toMatchObject({ admitted: 100 });
  });

  test('of a minute are exact, and are restored second by second', async () => {
    const { header } = await opened.account();
    const search = { authorization: header, window: 'search' } as const;
    expect(opened.askTimes(40, search)).toMatchObject({ admitted: 40 });
    expect(opened.askTimes(40, { ...search, now: noon + 20_300 })).toMatchObject({ admitted: 20 });
    expect(opened.ask({ ...search, now: noon + 30_700 })).toMatchObject({
      outcome: 'exhausted',
      violatedPolicies: ['search'],
      returnsAt: noon + minute,
      quota: { dailyLeft: 940, burstLeft: 0, burstReturnsAt: noon + minute },
    });
    expect(opened.ask({ ...search, now: noon + minute - 1 }).outcome).toBe('exhausted');
    expect(opened.askTimes(100, { ...search, now: noon + minute })).toMatchObject({ admitted: 40 });
    expect(opened.askTimes(100, { ...search, now: noon + minute + 20_300 })).toMatchObject({ admitted: 20 });
  });

  test('of look-ups and of searches are separate', async () => {
    const { header } = await opened.account();
    expect(opened.askTimes(100, { authorization: header, window: 'search' })).toMatchObject({ admitted: 60 });
    expect(opened.askTimes(400, { authorization: header })).toMatchObject({ admitted: 300 });
  });

  test('that are used up together are named together, with the longer wait', async () => {
    await openedWith({ LEI_ANONYMOUS_DAILY: '5', LEI_BURST_LOOKUP: '5' });
    opened.askTimes(5);
    expect(opened.ask()).toMatchObject({
      outcome: 'exhausted',
      violatedPolicies: ['daily', 'lookup'],
      returnsAt: midnight,
    });
  });

  test('are shared by all keys of an account and by nobody else', async () => {
    const one = await opened.account();
    const made = await opened.state.accounts.createKey(one.id, new Date(noon));
    if (made.outcome !== 'created') throw new Error(made.outcome);
    opened.access.refresh();
    const other = await opened.account('bob@example.com');
    opened.askTimes(60, { authorization: one.header, window: 'search' });
    const search = { window: 'search' } as const;
    expect(opened.ask({ ...search, authorization: `Bearer ${made.secret}` }).outcome).toBe('exhausted');
    expect(opened.ask({ ...search, authorization: other.header }).outcome).toBe('admitted');
    expect(opened.ask(search).outcome).toBe('admitted');
  });

  test('of an account may differ from the default, and a quota of 0 admits nothing', async () => {
    const rich = await opened.account('rich@example.com', {
      daily: 7,
      burstLookup: 5,
      burstSearch: 1_000,
    });
    const { quota } = opened.ask({ authorization: rich.header });
    expect(quota?.policy).toEqual({ daily: 7, lookup: 5, search: 1_000 });
    expect(opened.askTimes(10, { authorization: rich.header })).toMatchObject({ admitted: 4 });
    expect(opened.askTimes(10, { authorization: rich.header, window: 'search' })).toMatchObject({
      admitted: 2,
    });
    const none = await opened.account('none@example.com', { ...noOwnLimits, daily: 0 });
    expect(opened.ask({ authorization: none.header }).outcome).toBe('exhausted');
  });

  test('of accounts that differ in one limit only are not mixed up', async () => {
    const own = { daily: 20, burstLookup: 20, burstSearch: 20 };
    const differing = [own, { ...own, daily: 10 }, { ...own, burstLookup: 10 }, { ...own, burstSearch: 10 }];
    for (const [index, { daily, burstLookup, burstSearch }] of differing.entries()) {
      const limits = { daily, burstLookup, burstSearch };
      const { header: authorization } = await opened.account(`${index}@example.com`, limits);
      const policy = { daily, lookup: burstLookup, search: burstSearch };
      expect(opened.ask({ authorization }).quota?.policy).toEqual(policy);
    }
  });

  test('are counted and reported but never enforced in shadow mode', async () => {
    await openedWith({ LEI_LIMITS: 'shadow', LEI_ANONYMOUS_DAILY: '3' });
    expect(opened.askTimes(10)).toMatchObject({ admitted: 10 });
    expect(leftOf(opened.ask())).toMatchObject({ daily: 0, burst: 289 });
    expect(opened.ask({ authorization: 'Bearer nonsense' }).outcome).toBe('unauthorized');
  });

  test('in shadow mode never refuse a bad key with 429, and still count it', async () => {
    await openedWith({ LEI_LIMITS: 'shadow', LEI_BURST_LOOKUP: '2' });
    const guesses = Array.from({ length: 5 }, () => opened.ask({ authorization: 'Bearer nonsense' }));
    expect(guesses.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unauthorized'));
    expect(guesses.map((guess) => leftOf(guess).burst)).toEqual([1, 0, 0, 0, 0]);
  });

  test('are neither counted nor reported when switched off; a bad key is still refused', async () => {
    await openedWith({ LEI_LIMITS: 'off', LEI_ANONYMOUS_DAILY: '3' });
    const { id, header } = await opened.account();
    expect(opened.askTimes(10)).toMatchObject({ admitted: 10 });
    expect(opened.ask({ authorization: header })).toMatchObject({
      outcome: 'admitted',
      quota: null,
      caller: id,
    });
    expect(opened.ask({ authorization: 'Bearer nonsense' })).toMatchObject({
      outcome: 'unauthorized',
      quota: null,
    });
    await opened.access.tick(noon);
    expect(rowsOf(opened.state)).toBe(0);
  });
});

describe('setting the clock back', () => {
  test('restores neither the day nor the minute', async () => {
    const { header } = await opened.account();
    opened.askTimes(60, { authorization: header, window: 'search' });
    opened.askTimes(100);
    expect(opened.ask({ authorization: header, window: 'search', now: noon - 2 * hour }).outcome).toBe(
      'exhausted',
    );
    expect(opened.ask({ now: noon - 2 * hour }).outcome).toBe('exhausted');
  });

  test('over midnight continues the earlier day’s count, and then the later day’s', () => {
    opened.askTimes(30, { now: midnight - hour });
    opened.askTimes(80, { now: midnight + second });
    expect(opened.askTimes(200, { now: midnight - second })).toMatchObject({ admitted: 70 });
    expect(opened.askTimes(200, { now: midnight + 2 * second })).toMatchObject({ admitted: 20 });
  });

  test('over midnight continues the count on disk too', async () => {
    opened.askTimes(100, { now: midnight - hour });
    await opened.access.tick(midnight - hour);
    opened.askTimes(100, { now: midnight + second });
    await opened.access.tick(midnight + second);
    await opened.reopen();
    expect(opened.ask({ now: midnight - second }).outcome).toBe('exhausted');
    expect(opened.ask({ now: midnight + second }).outcome).toBe('exhausted');
  });

  test('after it ran far ahead locks nobody out for long', () => {
    opened.askTimes(50, { now: noon + 400 * 24 * hour });
    expect(opened.askTimes(200)).toMatchObject({ admitted: 100 });
  });
});

describe('a bad key', () => {
  test('is anything but a well-formed, known, active bearer key', async () => {
    const { header } = await opened.account();
    const key = header.slice('Bearer '.length);
    const bad = [
      '',
      'Bearer',
      'Bearer ',
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer ${newSecret()}`,
      `Bearer ${key}, Bearer ${key}`,
      `Bearer\t${key}`,
      `Bearer "${key}"`,
      `Bearer ${'a'.repeat(100_000)}`,
      `Bearer${' '.repeat(100_000)}${key}`,
      'Bearer lei_live_',
      'Bearer \u0000',
    ];
    for (const authorization of bad) expect(opened.ask({ authorization }).outcome).toBe('unauthorized');
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
      expect(opened.ask({ authorization: `${scheme} ${key}` }).outcome).toBe('admitted');
    }
  });

  test('costs its address one request of that endpoint’s minute and none of the day, until it gets 429', () => {
    const guess = () => opened.ask({ authorization: `Bearer ${newSecret()}`, window: 'search' });
    expect(guess()).toMatchObject({
      outcome: 'unauthorized',
      quota: { dailyLeft: 100, burstLeft: 59 },
    });
    for (let i = 1; i < 60; i++) expect(guess().outcome).toBe('unauthorized');
    expect(guess()).toMatchObject({
      outcome: 'exhausted',
      violatedPolicies: ['search'],
      returnsAt: noon + minute,
    });
    expect(opened.ask({ authorization: 'Bearer x' }).outcome).toBe('unauthorized');
    expect(leftOf(opened.ask())).toMatchObject({ daily: 99, burst: 298 });
  });

  test('reports the quota of its address, never of an account', async () => {
    const { id, header, keyId } = await opened.account();
    opened.askTimes(50, { authorization: header });
    await opened.state.accounts.revokeKey(keyId, new Date(noon));
    opened.access.refresh();
    const refused = opened.ask({ authorization: header });
    expect(refused).toMatchObject({
      outcome: 'unauthorized',
      quota: { policy: { daily: 100 }, dailyLeft: 100 },
    });
    expect(refused.caller).not.toBe(id);
  });

  test('from an address without quota does not affect valid keys from there', async () => {
    const { header } = await opened.account();
    opened.askTimes(400, { authorization: 'Bearer nonsense' });
    opened.askTimes(400);
    expect(leftOf(opened.ask({ authorization: header }))).toMatchObject({ daily: 999, burst: 299 });
  });

  test('from an address whose day is used up still gets 401', () => {
    opened.askTimes(100);
    expect(opened.ask({ authorization: 'Bearer nonsense' }).outcome).toBe('unauthorized');
  });
});

describe('a change of accounts', () => {
  test('takes effect at the next tick: new, suspended, resumed, deleted, revoked', async () => {
    const { accounts } = opened.state;
    const applicant = { email: 'late@example.com', company: 'Late', use: 'Tests' };
    const made = await accounts.create(applicant, noOwnLimits, new Date(noon));
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const outcome = async () => {
      await opened.access.tick(noon);
      return opened.ask({ authorization: `Bearer ${made.secret}` }).outcome;
    };
    expect(await outcome()).toBe('admitted');
    await accounts.suspend(made.account.id, new Date(noon));
    expect(await outcome()).toBe('unauthorized');
    await accounts.resume(made.account.id);
    expect(await outcome()).toBe('admitted');
    await accounts.revokeKey(made.key.id, new Date(noon));
    expect(await outcome()).toBe('unauthorized');
    const second = await accounts.createKey(made.account.id, new Date(noon));
    if (second.outcome !== 'created') throw new Error(second.outcome);
    await opened.access.tick(noon);
    expect(opened.ask({ authorization: `Bearer ${second.secret}` }).outcome).toBe('admitted');
    await accounts.remove(made.account.id);
    await opened.access.tick(noon);
    expect(opened.ask({ authorization: `Bearer ${second.secret}` }).outcome).toBe('unauthorized');
  });

  test('shows the last use of a key, to the second, once it is saved', async () => {
    const { id, header } = await opened.account();
    opened.ask({ authorization: header, now: noon + 61_900 });
    await opened.access.tick(noon + 62_000);
    const lastUsed = () => opened.state.accounts.withKeys(id)?.keys[0]?.key.lastUsedAt;
    expect(lastUsed()).toBe('2026-11-21T12:01:01Z');
    opened.ask({ authorization: header, now: noon + 62_100 });
    await opened.access.tick(noon + 63_000);
    expect(lastUsed()).toBe('2026-11-21T12:01:02Z');
  });

  test('shows the last use of a key even if the disk first refused it, which is logged', async () => {
    const { id, header } = await opened.account();
    const { state } = opened;
    let full = true;
    const noteUses: typeof state.accounts.noteUses = (uses) =>
      full ? Promise.reject(new Error('no space left on device')) : state.accounts.noteUses(uses);
    opened.access = opened.accessOver({ ...state, accounts: { ...state.accounts, noteUses } });
    opened.ask({ authorization: header, now: noon });
    await opened.access.tick(noon + second);
    expect(opened.logged.map(({ message }) => message)).toEqual([
      expect.stringContaining('Noting the use of keys failed'),
    ]);
    full = false;
    await opened.access.tick(noon + 2 * second);
    expect(state.accounts.withKeys(id)?.keys[0]?.key.lastUsedAt).toBe('2026-11-21T12:00:00Z');
  });
});
