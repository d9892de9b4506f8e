-- Decides limits inside Redis, in one round trip. All names begin with KEYS[1], which contains the hash tag, so that they are on one node of a
-- cluster. Arguments are read one after the other; each list begins with its length.
--
-- bucket:<key>         requests, tokens and time of a bucket, with 17 digits, so that numbers are the same as in JavaScript.
-- instance:<instance>  its open calls (c:<id>), and how many of them each key has (n:<key>). It expires when the instance sends no more
--                      batches, and its calls with it.
-- open:<key>           the instances with open calls of the key.

local base, position = KEYS[1], 0
local function take()
  position = position + 1
  return ARGV[position]
end
local function take_number()
  return tonumber(take())
end
local function digits(number)
  return string.format('%.17g', number)
end

local now, ttl, me, is_known = take_number(), take(), take(), take() == '1'
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local mine = base .. 'instance:' .. me
if is_known and redis.call('EXISTS', mine) == 0 then
  return { 'lost' }
end

local before, touched = {}, {}
local function read(key)
  local raw = redis.call('GET', base .. 'bucket:' .. key) or ''
  if not before[key] then
    before[key] = raw
    touched[#touched + 1] = key
  end
  local requests, tokens, at = string.match(raw, '^(%S+) (%S+) (%S+)$')
  return tonumber(requests or 0), tonumber(tokens or 0), tonumber(at or 0)
end
local function write(key, raw)
  if raw == '' then
    redis.call('DEL', base .. 'bucket:' .. key)
  else
    redis.call('SET', base .. 'bucket:' .. key, raw, 'PX', 604800000)
  end
end
local function pack(requests, tokens, at)
  return digits(requests) .. ' ' .. digits(tokens) .. ' ' .. digits(at)
end
local function drained(key, most_requests, most_tokens)
  local requests, tokens, at = read(key)
  local minutes = math.max(0, now - at) / 60000
  requests = most_requests and math.max(0, requests - most_requests * minutes) or 0
  tokens = most_tokens and math.max(0, tokens - most_tokens * minutes) or 0
  return requests, tokens, math.max(now, at)
end

local function open(id, key, mark)
  redis.call('HSET', mine, 'c:' .. id, mark .. key)
  redis.call('HINCRBY', mine, 'n:' .. key, 1)
  redis.call('SADD', base .. 'open:' .. key, me)
  redis.call('PEXPIRE', base .. 'open:' .. key, 86400000)
end
local function close(id)
  local found = redis.call('HGET', mine, 'c:' .. id)
  if not found then
    return nil
  end
  local key = string.sub(found, 2)
  redis.call('HDEL', mine, 'c:' .. id)
  if redis.call('HINCRBY', mine, 'n:' .. key, -1) <= 0 then
    redis.call('HDEL', mine, 'n:' .. key)
    redis.call('SREM', base .. 'open:' .. key, me)
  end
  return string.sub(found, 1, 1)
end
local function count(key)
  local all = 0
  for _, instance in ipairs(redis.call('SMEMBERS', base .. 'open:' .. key)) do
    local number = redis.call('HGET', base .. 'instance:' .. instance, 'n:' .. key)
    if number then
      all = all + tonumber(number)
    else
      redis.call('SREM', base .. 'open:' .. key, instance)
    end
  end
  return all
end

if take() == '1' then
  redis.call('DEL', mine)
end
redis.call('HSET', mine, 'is', 'alive')
redis.call('PEXPIRE', mine, ttl)
for _ = 1, take_number() do
  open(take(), take(), take())
end

for _ = 1, take_number() do
  local key, old, new, requests, tokens = take(), take(), take(), take_number(), take_number()
  local has_requests, has_tokens, at = read(key)
  if redis.call('GET', base .. 'bucket:' .. key) == new then
    write(key, old)
  else
    write(key, pack(math.max(0, has_requests - requests), math.max(0, has_tokens - tokens), at))
  end
end
for _ = 1, take_number() do
  close(take())
end

local settled = {}
for index = 1, take_number() do
  local id, key, most_requests, most_tokens, tokens = take(), take(), take_number(), take_number(), take_number()
  local mark = take() == '1' and '+' or close(id)
  if mark == '+' and most_tokens then
    local requests, used, at = drained(key, most_requests, most_tokens)
    write(key, pack(requests, math.max(0, used + tokens), at))
  end
  settled[index] = mark or ''
end

local verdicts = {}
for _ = 1, take_number() do
  local id, key = take(), take()
  local most_requests, most_tokens, most_calls, needed = take_number(), take_number(), take_number(), take_number()
  local is_forced = take() == '1'
  local has_rates = most_requests or most_tokens
  local requests, tokens, at = 0, 0, 0
  if has_rates then
    requests, tokens, at = drained(key, most_requests, most_tokens)
  end
  local answer = 'granted'
  if redis.call('HEXISTS', mine, 'c:' .. id) == 1 then
    answer = 'repeated'
  elseif not is_forced then
    if (most_requests and requests + 1 > most_requests)
      or (most_tokens and tokens + math.min(needed, most_tokens) > most_tokens) then
      answer = 'rate'
    elseif most_calls and count(key) >= most_calls then
      answer = 'concurrent'
    end
  end
  if answer == 'granted' then
    if has_rates then
      requests = most_requests and requests + 1 or 0
      tokens = most_tokens and tokens + needed or 0
      write(key, pack(requests, tokens, at))
    end
    open(id, key, '+')
  end
  verdicts[#verdicts + 1] = answer
  verdicts[#verdicts + 1] = digits(requests)
  verdicts[#verdicts + 1] = digits(tokens)
end

local buckets = {}
for _, key in ipairs(touched) do
  buckets[#buckets + 1] = key
  buckets[#buckets + 1] = before[key]
  buckets[#buckets + 1] = redis.call('GET', base .. 'bucket:' .. key) or ''
end
return { 'done', digits(now), settled, verdicts, buckets }
