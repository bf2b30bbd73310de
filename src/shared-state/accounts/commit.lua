-- Carries out one change of accounts where nobody else has changed them since.
--
-- KEYS: none but those that are named here. ARGV: installation, fill and version that the change was decided on, commits
-- that are kept for nodes that follow, then the change in parts: {rows: [{table, key, value}], changed, keysGone} as JSON.
-- Returns the version, -1 where the directory is at another one, -2 where this is another installation.
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
if #ARGV == 5 then
  redis.call('RPUSH', 'lei:log', ARGV[5])
  redis.call('LTRIM', 'lei:log', -tonumber(ARGV[4]), -1)
else
  -- Too large to be followed: every node reads all rows again.
  redis.call('DEL', 'lei:log')
end
return redis.call('INCR', 'lei:version')
