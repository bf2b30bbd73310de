/**
 * Stores accounts, keys and the secrets of a fleet in the shared store: the rows of the directory's tables, a version that counts the commits,
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
import { type Secrets, secretBytes, secretNames } from '../../../ports/state.ts';
import { isFields } from '../../state/records.ts';
import { pairsIn, type StoreCalls, scanHash, script } from '../connection.ts';
import { sharedLimits } from '../limits.ts';

/** The tables that nodes share. */
export const sharedTables = ['accounts', 'idByEmail', 'keys', 'signups', 'serviceLimits'] as const;
export type SharedTable = (typeof sharedTables)[number];

export interface RowChange {
  readonly table: SharedTable;
  readonly key: string;
  /** Null if the row is removed. */
  readonly value: string | null;
}

/** One change of the directory, as it is sent between nodes: whole rows of its tables, and the affected accounts. */
export interface Commit {
  readonly rows: readonly RowChange[];
  /** Ids of accounts that have changed; `wholeService` if its limits have. */
  readonly changed: readonly string[];
  /** Ids of keys that were removed. */
  readonly keysGone: readonly string[];
}

/** The state of an installation after a number of commits, as a copy of the directory holds it. */
export interface Position {
  /** Null before the first time. */
  readonly installation: string | null;
  /** Names the last time that a node filled the store again, as far as the copy knows; empty before the first. */
  readonly fill: string;
  /** Counts the commits of the store. */
  readonly version: number;
}

/**
 * Commits one change, unless somebody has changed accounts since it was decided.
 *
 * ARGV: installation, fill and version that the change was decided on, commits that are kept for nodes that follow, then
 * the change in parts: {rows: [{table, key, value}], changed, keysGone} as JSON. @returns the version, -1 if the
 * directory is at another one, -2 if this is another installation
 */
const committing = script(`
-- Earlier commits hold rows of a deleted account: a node that follows needs to know only that it is gone.
local function forget(id)
  for at, text in ipairs(redis.call('LRANGE', 'lei:log', 0, -1)) do
    if string.find(text, id, 1, true) then
      local commit = cjson.decode(text)
      for _, row in ipairs(commit.rows) do
        if row.table == 'accounts' and row.key == id then row.value = cjson.null end
      end
      redis.call('LSET', 'lei:log', at - 1, cjson.encode(commit))
    end
  end
end
if redis.call('GET', 'lei:installation') ~= ARGV[1] then return -2 end
if (redis.call('HGET', 'lei:fill', 'name') or '') ~= ARGV[2] then return -1 end
if (redis.call('GET', 'lei:version') or '0') ~= ARGV[3] then return -1 end
for part = 5, #ARGV do
  local commit = cjson.decode(ARGV[part])
  for _, row in ipairs(commit.rows) do
    local key = 'lei:rows:' .. row.table
    if row.value == cjson.null then redis.call('HDEL', key, row.key)
    else redis.call('HSET', key, row.key, row.value) end
  end
  for _, id in ipairs(commit.keysGone) do redis.call('ZREM', 'lei:uses', id) end
end
for part = 5, #ARGV do
  for _, row in ipairs(cjson.decode(ARGV[part]).rows) do
    if row.table == 'accounts' and row.value == cjson.null then forget(row.key) end
  end
end
if #ARGV == 5 then
  redis.call('RPUSH', 'lei:log', ARGV[5])
  redis.call('LTRIM', 'lei:log', -tonumber(ARGV[4]), -1)
else
  -- Too large to be followed: every node reads all rows again.
  redis.call('DEL', 'lei:log')
end
return redis.call('INCR', 'lei:version')
`);

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

/** Where the store is; `installation` is null if it is empty: it is new, or has lost everything. */
interface News extends Position {
  /** Whether it was filled again from an older copy than the one in question, and has not changed since. */
  readonly isOlder: boolean;
  /** Since the version in question; null if all rows have to be read. */
  readonly commits: readonly Commit[] | null;
}

export async function follow(store: StoreCalls, at: Position): Promise<News> {
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

/** @throws if the text is not a commit: only nodes write them */
function parseCommit(text: string): Commit {
  const value: unknown = JSON.parse(text);
  if (!isFields(value)) throw new Error('A change of accounts in the shared state is damaged.');
  const { rows, changed, keysGone } = value;
  return {
    rows: listOf(rows, isRowChange),
    changed: listOf(changed, isText),
    keysGone: listOf(keysGone, isText),
  };
}

/** The store's Lua writes an empty list as an empty object. */
function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRowChange(value: unknown): value is RowChange {
  if (!isFields(value)) return false;
  const { table, key, value: held } = value;
  return sharedTables.some((name) => name === table) && isText(key) && (held === null || isText(held));
}

type CommitOutcome = 'committed' | 'outdated' | 'other-installation';

export async function commit(store: StoreCalls, at: Position, change: Commit): Promise<CommitOutcome> {
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
export async function readRows(store: StoreCalls): Promise<readonly RowChange[]> {
  const rows: RowChange[] = [];
  for (const table of sharedTables) {
    for await (const page of scanHash(store, `lei:rows:${table}`))
      for (const [key, value] of page) rows.push({ table, key, value });
  }
  return rows;
}

/** Names a new store. If several nodes do so at once, one of them succeeds. */
export async function nameInstallation(store: StoreCalls): Promise<void> {
  await store.call('SET', 'lei:installation', randomBytes(16).toString('hex'), 'NX');
}

/** Epoch seconds by key id. A later use that another node has recorded stays. */
export async function noteUses(store: StoreCalls, uses: ReadonlyMap<string, number>): Promise<void> {
  const pairs = [...uses].flatMap(([id, second]) => [second, id]);
  if (pairs.length > 0) await store.call('ZADD', 'lei:uses', 'GT', ...pairs);
}

/** Uses at this second and later. */
export async function usesSince(store: StoreCalls, second: number): Promise<ReadonlyMap<string, number>> {
  const reply = await store.call('ZRANGEBYSCORE', 'lei:uses', second, '+inf', 'WITHSCORES');
  return new Map([...pairsIn(reply)].map(([id, at]) => [id, Number(at)]));
}

const secretsKey = 'lei:secrets';

/**
 * The secrets of a fleet: made once, by the first node, and given to nodes only.
 * @param kept this node's copy, for a store that has lost its own
 */
export async function readSecrets(store: StoreCalls, kept: Secrets | null): Promise<Secrets> {
  for (const name of secretNames) {
    const made = kept?.[name] ?? randomBytes(secretBytes);
    await store.call('HSETNX', secretsKey, name, Buffer.from(made).toString('base64'));
  }
  const reply = await store.call('HMGET', secretsKey, ...secretNames);
  const [cursor, etag, client] = (Array.isArray(reply) ? reply : []).map(secretIn);
  if (cursor === undefined || etag === undefined || client === undefined) {
    throw new Error(`${secretsKey} in the shared state holds no secrets.`);
  }
  return { cursor, etag, client };
}

function secretIn(text: unknown): Uint8Array | undefined {
  const bytes = Uint8Array.from(Buffer.from(String(text), 'base64'));
  return bytes.length === secretBytes ? bytes : undefined;
}
