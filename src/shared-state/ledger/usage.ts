/** Reads the units of accounts by day and kind, as count.lua counts them in the shared store. */
import { type DayUsage, type UsageHistory, usageDays } from '../../ports/usage.ts';
import { pairsIn } from '../accounts/account-store.ts';
import { type Caller, script } from '../connection.ts';

export const usageKeys = 'lei:usage:';

const raising = script(`
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
`);

export function sharedUsage(store: Caller, settled: () => Promise<void>): UsageHistory {
  return {
    async of(accountId, today) {
      await settled();
      const forgotten = Number((await store.call('GET', 'lei:usage-from')) ?? 0);
      const reply = await store.call('HGETALL', `${usageKeys}${accountId}`);
      const units = new Map(pairsIn(reply));
      const days: DayUsage[] = [];
      for (let day = Math.max(forgotten, today - usageDays + 1); day <= today; day++) {
        const lookup = Number(units.get(`${day} lookup`) ?? 0);
        const search = Number(units.get(`${day} search`) ?? 0);
        if (lookup + search > 0) days.push({ day, lookup, search });
      }
      return days;
    },
    async forgetBefore(day) {
      await store.run(raising, ['lei:usage-from'], [day]);
    },
  };
}
