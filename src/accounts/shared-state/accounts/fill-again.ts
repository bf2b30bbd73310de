/** Restores a store that has lost its accounts from a node's copy. */
import { randomBytes } from 'node:crypto';
import { type StoreCalls, script } from '../connection.ts';
import { sharedLimits } from '../limits.ts';
import { type Position, type RowChange, sharedTables } from './account-store.ts';

/**
 * Makes the rows that a node has brought the store's, unless it has others by now: then a copy counts only if it is
 * newer than the one that the store was filled from, and nothing has changed since.
 *
 * ARGV: name of this filling, installation, fill and version of the copy, the store's next version, number of rows,
 * tables. Returns 1 if the store has these rows now.
 */
const takingOver = script(`
local brought = 'lei:filling:' .. ARGV[1] .. ':'
if redis.call('GET', 'lei:filling') ~= ARGV[1] then return 0 end
redis.call('DEL', 'lei:filling')
local name = ARGV[1]
local installation = redis.call('GET', 'lei:installation')
if installation then
  local fill, from, to = unpack(redis.call('HMGET', 'lei:fill', 'name', 'from', 'to'))
  if installation ~= ARGV[2] or not fill or fill == ARGV[3] then return 0 end
  if to ~= redis.call('GET', 'lei:version') or tonumber(from) >= tonumber(ARGV[4]) then return 0 end
  -- The same loss: the node with the older copy must not take this for a store filled from one older than its own.
  name = fill
end
local rows = 0
for at = 7, #ARGV do rows = rows + redis.call('HLEN', brought .. ARGV[at]) end
if rows ~= tonumber(ARGV[6]) then return 0 end
for at = 7, #ARGV do
  local from, to = brought .. ARGV[at], 'lei:rows:' .. ARGV[at]
  redis.call('DEL', to)
  if redis.call('EXISTS', from) == 1 then
    redis.call('RENAME', from, to)
    redis.call('PERSIST', to)
  end
end
redis.call('DEL', 'lei:log')
redis.call('SET', 'lei:version', ARGV[5])
redis.call('HSET', 'lei:fill', 'name', name, 'from', ARGV[4], 'to', ARGV[5])
redis.call('SET', 'lei:installation', ARGV[2])
return 1
`);

/** @returns false if another node is doing it, or has done it meanwhile */
export async function fillAgain(
  store: StoreCalls,
  at: Position,
  rows: readonly RowChange[],
): Promise<boolean> {
  const name = randomBytes(16).toString('hex');
  const keptMs = sharedLimits.bulkDeadlineMs;
  const mayFill = await store.call('SET', 'lei:filling', name, 'NX', 'PX', keptMs);
  if (mayFill !== 'OK') return false;
  for (let start = 0; start < rows.length; start += sharedLimits.rowsPerPart) {
    const part = rows.slice(start, start + sharedLimits.rowsPerPart);
    for (const table of sharedTables) {
      const pairs = part.filter((row) => row.table === table).flatMap(({ key, value }) => [key, value ?? '']);
      if (pairs.length === 0) continue;
      const brought = `lei:filling:${name}:${table}`;
      await store.call('HSET', brought, ...pairs);
      await store.call('PEXPIRE', brought, keptMs);
    }
  }
  // Choose a version that no node has, so that nodes of an earlier version of the service read all rows again too.
  const next = at.version + sharedLimits.commitsKept + 1;
  const args = [name, at.installation ?? '', at.fill, at.version, next, rows.length, ...sharedTables];
  return Number(await store.run(takingOver, [], args, keptMs)) === 1;
}
