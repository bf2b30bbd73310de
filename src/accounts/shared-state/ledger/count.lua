-- Takes, refunds and adds units, one operation after the other, for any number of callers at once. The same rules as
-- those of the local ledger (src/accounts/state/ledger/counting.ts and windows.ts), so that both admit the same requests.
--
-- callerKeys: what the key of a caller begins with, set in front of this text (operations.ts).
-- ARGV: operations one after the other, each with a letter, a window (1 look-ups, 2 searches), five numbers of six bytes,
-- the length of the caller's name and the name:
--   't' window units daily burst flags now        take; flags: 1 counts for the day, 2 may be refused
--   'g' window units takenAt 0 flags now          give back what was taken then
--   'a' window units at dayUnits day now          add what a node admitted while it did not reach this store
--   'r' 1 lookups searches day 0 now              raise the count of a day to at least these units
-- now: epoch ms, 0 for this store's own clock.
--
-- Returns for each 't': exceeded (a byte: 0 none, 1 daily, 2 burst, 3 both) and five numbers: left of the day, left of the
-- window, when some of the window returns, when the units are there (0 where they were taken), now. And for each 'r' a byte:
-- whether the day had fewer units.
--
-- A value holds: day, its count, the day before, its count, the last request (4, 6, 4, 6 and 6 bytes); then for each
-- window the number of its seconds (1) and, oldest first, last arrival (6) and units (4) of each second.
--
-- A value that is not of this form counts as none and is replaced, so that it disturbs no other caller of the call.
--
-- What accounts use is also counted by day and kind, in lei:usage:<account>.
local BURST, DAY, LATE, MARGIN, SLOT = 60000, 86400000, 1000, 60000, 10
local USAGE_DAYS = 30
local KINDS = { 'lookup', 'search' }
local floor, max, min = math.floor, math.max, math.min
local callers = {}

local function serverClock()
  local time = redis.call('TIME')
  return time[1] * 1000 + floor(time[2] / 1000)
end

local function isCount(bytes)
  if type(bytes) ~= 'string' or #bytes < 28 then return false end
  local searches = 28 + bytes:byte(27) * SLOT
  return #bytes >= searches and #bytes == searches + bytes:byte(searches) * SLOT
end

local function open(key)
  local caller = callers[key]
  if caller then return caller end
  caller = { day = 0, used = 0, dayBefore = 0, usedBefore = 0, lastAsked = 0, raw = { '\0', '\0' }, windows = {} }
  local bytes = redis.pcall('GET', key)
  if isCount(bytes) then
    local day, used, dayBefore, usedBefore, lastAsked = struct.unpack('<I4I6I4I6I6', bytes)
    local searches = 28 + bytes:byte(27) * SLOT
    caller.day, caller.used, caller.dayBefore, caller.usedBefore, caller.lastAsked =
      day, used, dayBefore, usedBefore, lastAsked
    caller.raw = { bytes:sub(27, searches - 1), bytes:sub(searches) }
  end
  callers[key] = caller
  return caller
end

local function windowOf(caller, which)
  local window = caller.windows[which]
  if window then return window end
  local raw = caller.raw[which]
  local at, units, total = {}, {}, 0
  for slot = 1, raw:byte(1) do
    at[slot], units[slot] = struct.unpack('<I6I4', raw, slot * SLOT - 8)
    total = total + units[slot]
  end
  window = { at = at, units = units, total = total }
  caller.windows[which] = window
  return window
end

local function remove(window, slot)
  table.remove(window.at, slot)
  table.remove(window.units, slot)
end

local function sameSecond(one, other)
  return floor(one / 1000) == floor(other / 1000)
end

-- A clock that is put back must not free anything, nor freeze the window until it has caught up.
local function followClockBack(window, now)
  local newest = window.at[#window.at]
  if not newest or newest <= now then return end
  local ahead = newest - now
  for slot = 1, #window.at do window.at[slot] = max(0, window.at[slot] - ahead) end
end

local function usedOf(window, now)
  followClockBack(window, now)
  while window.at[1] and now - window.at[1] >= BURST do
    window.total = window.total - window.units[1]
    remove(window, 1)
  end
  return window.total
end

-- Puts units in the second of their arrival, which is mostly the newest one.
local function add(window, at, units)
  local slot = #window.at
  while slot > 0 and window.at[slot] > at and not sameSecond(window.at[slot], at) do slot = slot - 1 end
  if slot > 0 and sameSecond(window.at[slot], at) then
    window.at[slot] = max(window.at[slot], at)
    window.units[slot] = window.units[slot] + units
  else
    table.insert(window.at, slot + 1, at)
    table.insert(window.units, slot + 1, units)
  end
  window.total = window.total + units
end

-- Where their second is gone, the oldest one is reduced: the rest then counts longer, never shorter.
local function refund(window, takenAt, units)
  local left = min(units, window.total)
  window.total = window.total - left
  while left > 0 do
    local slot = 1
    for each = #window.at, 1, -1 do
      if sameSecond(window.at[each], takenAt) then slot = each break end
    end
    local given = min(left, window.units[slot])
    window.units[slot] = window.units[slot] - given
    if window.units[slot] == 0 then remove(window, slot) end
    left = left - given
  end
end

local function fallsTo(window, units, now)
  local total, last = window.total, now
  for slot = 1, #window.at do
    last = window.at[slot]
    total = total - window.units[slot]
    if total <= units then break end
  end
  return last + BURST
end

local function turnTo(caller, day)
  if caller.day == day then return end
  local used = 0
  if caller.dayBefore == day then used = caller.usedBefore end
  caller.dayBefore, caller.usedBefore = caller.day, caller.used
  caller.day, caller.used = day, used
end

local function fieldOf(day, which)
  return string.format('%.0f %s', day, KINDS[which])
end

-- Notes for the history of an account that so many units were counted on a day, or given back.
local function note(caller, which, day, units)
  if units == 0 then return end
  local field = fieldOf(day, which)
  caller.history = caller.history or {}
  caller.history[field] = (caller.history[field] or 0) + units
end

local function taking(caller, which, units, daily, burst, flags, asked)
  local late = caller.lastAsked - asked
  local now = (late > 0 and late <= LATE) and caller.lastAsked or asked
  turnTo(caller, floor(now / DAY))
  caller.lastAsked = now
  local window = windowOf(caller, which)
  local forDay, refusable = flags % 2 == 1, flags >= 2
  local over, returnsAt = 0, 0
  local inWindow = usedOf(window, now)
  if refusable and forDay and caller.used + units > daily then
    over, returnsAt = 1, (caller.day + 1) * DAY
  end
  if refusable and inWindow + units > burst then
    over, returnsAt = over + 2, max(returnsAt, fallsTo(window, burst - units, now))
  end
  if over == 0 then
    if forDay then
      caller.used = caller.used + units
      note(caller, which, caller.day, units)
    end
    add(window, now, units)
    caller.changed = now
  end
  local oldest = window.at[1] or now
  return over, max(0, daily - caller.used), max(0, burst - window.total), oldest + BURST, returnsAt, now
end

local function giving(caller, which, units, takenAt, flags, asked)
  local now = max(asked, caller.lastAsked)
  turnTo(caller, floor(now / DAY))
  -- Past midnight the day that was charged is over, and its count with it.
  if flags % 2 == 1 and caller.day == floor(takenAt / DAY) then
    caller.used = max(0, caller.used - units)
    note(caller, which, caller.day, -units)
  end
  refund(windowOf(caller, which), takenAt, units)
  caller.changed = now
end

local function adding(caller, which, units, at, dayUnits, day, asked)
  local now = max(asked, caller.lastAsked)
  turnTo(caller, floor(now / DAY))
  caller.lastAsked = now
  local window = windowOf(caller, which)
  if caller.day == day then caller.used = caller.used + dayUnits end
  note(caller, which, day, dayUnits)
  usedOf(window, now)
  local arrival = min(at, now)
  if units > 0 and now - arrival < BURST then add(window, arrival, units) end
  caller.changed = now
end

local function packWindow(caller, which)
  local window = caller.windows[which]
  if not window then return caller.raw[which] end
  local parts = { string.char(#window.at) }
  for slot = 1, #window.at do
    parts[slot + 1] = struct.pack('<I6I4', window.at[slot], min(window.units[slot], 4294967295))
  end
  return table.concat(parts)
end

local function save(key, caller)
  local head =
    struct.pack('<I4I6I4I6I6', caller.day, caller.used, caller.dayBefore, caller.usedBefore, caller.lastAsked)
  local keptMs = max((caller.day + 1) * DAY - caller.changed, BURST) + MARGIN
  redis.call('SET', key, head .. packWindow(caller, 1) .. packWindow(caller, 2), 'PX', keptMs)
end

-- The first units of a day: days that are no longer told are forgotten, and all of them once the account is silent.
local function tidy(history, today)
  for _, field in ipairs(redis.call('HKEYS', history)) do
    if tonumber(field:match('^%d+') or 0) <= today - USAGE_DAYS - 1 then redis.call('HDEL', history, field) end
  end
  redis.call('EXPIRE', history, (USAGE_DAYS + 2) * DAY / 1000)
end

-- Nil where the caller is no account.
local function historyOf(key)
  local account = key:match(':(acc_.*)$')
  return account and 'lei:usage:' .. account
end

local function raised(history, field, units)
  local total = redis.pcall('HINCRBY', history, field, units)
  if type(total) == 'number' then return total end
  if redis.call('TYPE', history).ok == 'hash' then redis.call('HDEL', history, field) else redis.call('DEL', history) end
  return redis.call('HINCRBY', history, field, units)
end

local function saveHistory(key, caller)
  local history = historyOf(key)
  if not history then return end
  for field, units in pairs(caller.history) do
    if raised(history, field, units) == units then tidy(history, caller.day) end
  end
end

local function raiseHistory(history, lookups, searches, day, today)
  local lookupField, searchField = fieldOf(day, 1), fieldOf(day, 2)
  local told = redis.call('HMGET', history, lookupField, searchField)
  if (told[1] or 0) + (told[2] or 0) >= lookups + searches then return 0 end
  redis.call('HSET', history, lookupField, lookups, searchField, searches)
  tidy(history, today)
  return 1
end

-- Of a day that is counted twice the larger count stays whole, so that a move may be repeated.
local function raising(key, caller, lookups, searches, day, asked)
  local now, history, raised = max(asked, caller.lastAsked), historyOf(key), 0
  turnTo(caller, floor(now / DAY))
  if caller.day == day and caller.used < lookups + searches then
    caller.used, caller.changed, raised = lookups + searches, now, 1
  end
  return max(raised, history and raiseHistory(history, lookups, searches, day, caller.day) or 0)
end

local server = serverClock()
local text, at, answers = ARGV[1], 1, {}
while at <= #text do
  local op, which, units, one, other, third, now, name
  op, which, units, one, other, third, now, name, at = struct.unpack('<c1BI6I6I6I6I6Bc0', text, at)
  if now == 0 then now = server end
  local key = callerKeys .. name
  local caller = open(key)
  if op == 't' then
    answers[#answers + 1] = struct.pack('<BI6I6I6I6I6', taking(caller, which, units, one, other, third, now))
  elseif op == 'g' then
    giving(caller, which, units, one, third, now)
  elseif op == 'r' then
    answers[#answers + 1] = string.char(raising(key, caller, units, one, other, now))
  else
    adding(caller, which, units, one, other, third, now)
  end
end
for key, caller in pairs(callers) do
  if caller.changed then save(key, caller) end
  if caller.history then saveHistory(key, caller) end
end
return table.concat(answers)
