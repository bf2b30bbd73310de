/**
 * Reads what count.lua has counted in the shared store: the units of accounts by day and kind, and for another state
 * those of all callers. Raises the store's counts to another state's.
 */
import type { CallerDay, Tally } from '../../../ports/state.ts';
import { type DayUsage, type UsageHistory, usageDays } from '../../../ports/state.ts';
import { pairsIn, type StoreCalls, type StoreScript, scanKeys, script } from '../connection.ts';
import { sharedLimits } from '../limits.ts';
import { callerKeys, raiseTo } from './operations.ts';

const usageKeys = 'lei:usage:';

/** KEYS: histories of accounts. @returns for each day the index of its key, day, look-ups, searches */
const readHistories = script(`
local first, found = tonumber(redis.call('GET', 'lei:usage-from') or '0'), {}
for place, key in ipairs(KEYS) do
  local fields, days = redis.call('HGETALL', key), {}
  for at = 1, #fields, 2 do
    local day, kind = fields[at]:match('^(%d+) (%a+)$')
    local units = days[day] or { 0, 0 }
    units[kind == 'lookup' and 1 or 2] = tonumber(fields[at + 1])
    days[day] = units
  end
  for day, units in pairs(days) do
    if tonumber(day) >= first then found[#found + 1] = { place, tonumber(day), units[1], units[2] } end
  end
end
return found
`);

/** KEYS: counts of callers. @returns likewise, for the last day of each; a client's units have no kinds */
const readCounts = script(`
local found = {}
for place, key in ipairs(KEYS) do
  local bytes = redis.call('GET', key)
  if bytes then
    local day, used = struct.unpack('<I4I6', bytes)
    local account, searches = key:match(':(acc_.*)$'), 0
    if account then
      searches = tonumber(redis.call('HGET', 'lei:usage:' .. account, string.format('%.0f search', day)) or 0)
    end
    searches = math.min(used, searches)
    found[#found + 1] = { place, day, used - searches, searches }
  end
end
return found
`);

export function sharedTally(store: StoreCalls): Tally {
  return {
    async *read() {
      yield* pages(store, usageKeys, readHistories);
      yield* pages(store, callerKeys, readCounts);
    },
    async raise(days) {
      const size = sharedLimits.operationsPerCall;
      let raised = 0;
      for (let at = 0; at < days.length; at += size)
        raised += await raiseTo(store, days.slice(at, at + size));
      return raised;
    },
  };
}

async function* pages(
  store: StoreCalls,
  prefix: string,
  reading: StoreScript,
): AsyncIterable<readonly CallerDay[]> {
  for await (const keys of scanKeys(store, prefix)) {
    const found = await store.run(reading, keys, []);
    yield (Array.isArray(found) ? found : []).map((row) => readDay(row, keys, prefix));
  }
}

function readDay(row: unknown, keys: readonly string[], prefix: string): CallerDay {
  const [place = 0, day = 0, lookup = 0, search = 0] = Array.isArray(row) ? row.map(Number) : [];
  return { caller: (keys[place - 1] ?? '').slice(prefix.length), day, units: { lookup, search } };
}

const raising = script(`
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
`);

export function sharedUsage(store: StoreCalls, settled: () => Promise<void>): UsageHistory {
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
