/**
 * The sessions of the account page in the shared store. Revoked keys and suspended accounts are read from the store,
 * where every node writes them, so a session ends on all nodes at once.
 *
 *     lei:session:<digest>           hash: account, key, opened; expires by itself
 *     lei:session:<digest>:forms     set: the names of the forms that were sent; likewise
 *     lei:sessions                   sorted set: digest → when it was opened, epoch ms
 *     lei:sessions:<account>         list: the digests of an account's sessions, oldest first
 */
import {
  type FormClaim,
  type Session,
  type Sessions,
  sessionLimits,
  sessionMs,
} from '../../ports/sessions.ts';
import { type StoreCalls, script } from './connection.ts';

/** ARGV of each: digest, epoch ms, then the values below. */
const shared = `
local digest, now = ARGV[1], tonumber(ARGV[2])
local key = 'lei:session:' .. digest
local function forget(each)
  redis.call('DEL', 'lei:session:' .. each, 'lei:session:' .. each .. ':forms')
  redis.call('ZREM', 'lei:sessions', each)
end
local function forgetOver()
  for _, each in ipairs(redis.call('ZRANGEBYSCORE', 'lei:sessions', '-inf', now - ${sessionMs}, 'LIMIT', 0, 1000)) do
    forget(each)
  end
end
local function running()
  local account, used, opened = unpack(redis.call('HMGET', key, 'account', 'key', 'opened'))
  if not account or math.abs(now - tonumber(opened)) >= ${sessionMs} then return nil end
  local known = redis.call('HGET', 'lei:rows:keys', used)
  if not known or cjson.decode(known).revokedAt ~= cjson.null then return nil end
  local holder = redis.call('HGET', 'lei:rows:accounts', account)
  if not holder or cjson.decode(holder).suspendedAt ~= cjson.null then return nil end
  return { account, used, opened }
end
`;

/** Then: account, key. @returns 1, or 0 if there are too many */
const opening = script(`${shared}
if redis.call('ZCARD', 'lei:sessions') >= ${sessionLimits.inAllMax} then forgetOver() end
if redis.call('ZCARD', 'lei:sessions') >= ${sessionLimits.inAllMax} then return 0 end
redis.call('HSET', key, 'account', ARGV[3], 'key', ARGV[4], 'opened', ARGV[2])
redis.call('PEXPIRE', key, ${sessionMs})
redis.call('ZADD', 'lei:sessions', now, digest)
local own = 'lei:sessions:' .. ARGV[3]
redis.call('RPUSH', own, digest)
redis.call('PEXPIRE', own, ${sessionMs})
while redis.call('LLEN', own) > ${sessionLimits.perAccountMax} do forget(redis.call('LPOP', own)) end
return 1
`);

/** @returns account, key, opened; nothing if there is none */
const finding = script(`${shared} return running() or {}`);

/** Then: form. */
const claiming = script(`${shared}
if not running() then return 'ended' end
local forms = key .. ':forms'
if redis.call('SISMEMBER', forms, ARGV[3]) == 1 then return 'sent-before' end
if redis.call('SCARD', forms) >= ${sessionLimits.formsMax} then return 'too-many' end
redis.call('SADD', forms, ARGV[3])
redis.call('PEXPIRE', forms, ${sessionMs})
return 'claimed'
`);

const ending = script(`${shared}
local account = redis.call('HGET', key, 'account')
if account then redis.call('LREM', 'lei:sessions:' .. account, 0, digest) end
forget(digest)
`);

const forgetting = script(`${shared} forgetOver()`);

export function sharedSessions(store: StoreCalls): Sessions {
  return {
    async open(digest, { accountId, keyId, openedAt }) {
      return (await store.run(opening, [], [digest, openedAt, accountId, keyId])) === 1;
    },
    async find(digest, now) {
      return readSession(await store.run(finding, [], [digest, now]));
    },
    async claim(digest, form, now) {
      return readClaim(await store.run(claiming, [], [digest, now, form]));
    },
    async end(digest) {
      await store.run(ending, [], [digest, 0]);
    },
    async forgetEnded(now) {
      await store.run(forgetting, [], ['', now]);
    },
  };
}

function readSession(reply: unknown): Session | null {
  const [accountId, keyId, openedAt] = Array.isArray(reply) ? reply : [];
  if (typeof accountId !== 'string' || typeof keyId !== 'string') return null;
  return { accountId, keyId, openedAt: Number(openedAt) };
}

function readClaim(reply: unknown): FormClaim {
  if (reply === 'claimed' || reply === 'sent-before' || reply === 'too-many') return reply;
  return 'ended';
}
