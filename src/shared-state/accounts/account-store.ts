/**
 * Stores accounts and keys in the shared store: the rows of the directory's tables, a version that counts the commits,
 * and the last commits for nodes that follow.
 *
 *     lei:installation   a random name, made once
 *     lei:version        commits so far
 *     lei:log            list: the last commits, JSON
 *     lei:fill           hash: the last time that a node filled the store again: its name, the version of the copy, and
 *                        the store's after it
 *     lei:rows:<table>   hash: key → row, JSON
 *     lei:uses           sorted set: key id → second of its last use
 *     lei:secrets        hash: name → 32 bytes, base64
 */
import { randomBytes } from 'node:crypto';
import { type Caller, script } from '../connection.ts';
import { sharedLimits } from '../limits.ts';
import commitSource from './commit.lua' with { type: 'text' };
import { type Commit, parseCommit, type RowChange, sharedTables } from './commit.ts';
import type { Position } from './copy.ts';

const committing = script(commitSource);

/**
 * ARGV: fill and version of a copy. @returns installation, version, fill, 1 if the copy is newer than the one that the
 * store was filled from and the store is unchanged since, and the commits since then, or nil if they are not all kept
 */
const following = script(`
local installation = redis.call('GET', 'lei:installation')
local version = tonumber(redis.call('GET', 'lei:version') or '0')
local fill, from, to = unpack(redis.call('HMGET', 'lei:fill', 'name', 'from', 'to'))
if (fill or '') ~= ARGV[1] then
  local isOlder = fill and tonumber(to) == version and tonumber(from) < tonumber(ARGV[2])
  return { installation, version, fill or '', isOlder and 1 or 0 }
end
local missed = version - tonumber(ARGV[2])
if missed == 0 then return { installation, version, ARGV[1], 0, {} } end
if missed < 0 or missed > redis.call('LLEN', 'lei:log') then return { installation, version, ARGV[1], 0 } end
return { installation, version, ARGV[1], 0, redis.call('LRANGE', 'lei:log', -missed, -1) }
`);

interface News {
  /** Null if the store is empty: it is new, or has lost everything. */
  readonly installation: string | null;
  readonly version: number;
  readonly fill: string;
  /** Whether it was filled again from an older copy than the one in question, and has not changed since. */
  readonly isOlder: boolean;
  /** Since the version in question; null if all rows have to be read. */
  readonly commits: readonly Commit[] | null;
}

export async function follow(store: Caller, at: Position): Promise<News> {
  const reply = await store.run(following, [], [at.fill, at.version]);
  const [installation, latest, fill, isOlder, commits] = Array.isArray(reply) ? reply : [];
  return {
    installation: typeof installation === 'string' ? installation : null,
    version: Number(latest ?? 0),
    fill: String(fill ?? ''),
    isOlder: isOlder === 1,
    commits: Array.isArray(commits) ? commits.map((text) => parseCommit(String(text))) : null,
  };
}

type CommitOutcome = 'committed' | 'outdated' | 'other-installation';

export async function commit(store: Caller, at: Position, change: Commit): Promise<CommitOutcome> {
  const parts = partsOf(change).map((part) => JSON.stringify(part));
  const args = [at.installation ?? '', at.fill, at.version, sharedLimits.commitsKept, ...parts];
  const deadlineMs = parts.length === 1 ? sharedLimits.workDeadlineMs : sharedLimits.bulkDeadlineMs;
  const outcome = Number(await store.run(committing, [], args, deadlineMs));
  if (outcome === -1) return 'outdated';
  return outcome === -2 ? 'other-installation' : 'committed';
}

function partsOf({ rows, changed, keysGone }: Commit): readonly Commit[] {
  const size = sharedLimits.rowsPerPart;
  const parts = [{ rows: rows.slice(0, size), changed, keysGone }];
  for (let at = size; at < rows.length; at += size) {
    parts.push({ rows: rows.slice(at, at + size), changed: [], keysGone: [] });
  }
  return parts;
}

/** Every row. Apply the commits since the previously read version to them. */
export async function readRows(store: Caller): Promise<readonly RowChange[]> {
  const rows: RowChange[] = [];
  for (const table of sharedTables) {
    let cursor = '0';
    do {
      const page = await store.call('HSCAN', `lei:rows:${table}`, cursor, 'COUNT', sharedLimits.rowsPerPart);
      const [next, pairs] = Array.isArray(page) ? page : [];
      for (const [key, value] of pairsIn(pairs)) rows.push({ table, key, value });
      cursor = String(next ?? '0');
    } while (cursor !== '0');
  }
  return rows;
}

/** Decodes the store's lists of names and values, one after the other. */
export function* pairsIn(reply: unknown): Iterable<readonly [name: string, value: string]> {
  const texts = Array.isArray(reply) ? reply.map(String) : [];
  for (let at = 0; at + 1 < texts.length; at += 2) yield [texts[at] ?? '', texts[at + 1] ?? ''];
}

/** Names a new store. If several nodes do so at once, one of them succeeds. */
export async function nameInstallation(store: Caller): Promise<void> {
  await store.call('SET', 'lei:installation', randomBytes(16).toString('hex'), 'NX');
}

/** Epoch seconds by key id. A later use that another node has recorded stays. */
export async function noteUses(store: Caller, uses: ReadonlyMap<string, number>): Promise<void> {
  const pairs = [...uses].flatMap(([id, second]) => [second, id]);
  if (pairs.length > 0) await store.call('ZADD', 'lei:uses', 'GT', ...pairs);
}

/** Uses at this second and later. */
export async function usesSince(store: Caller, second: number): Promise<ReadonlyMap<string, number>> {
  const reply = await store.call('ZRANGEBYSCORE', 'lei:uses', second, '+inf', 'WITHSCORES');
  return new Map([...pairsIn(reply)].map(([id, at]) => [id, Number(at)]));
}
