-- Forgets the open calls of an instance that was lost. It stays known until it expires.

local lost = KEYS[1] .. 'instance:' .. ARGV[1]
local ttl = redis.call('PTTL', lost)
if ttl > 0 then
  redis.call('DEL', lost)
  redis.call('HSET', lost, 'is', 'alive')
  redis.call('PEXPIRE', lost, ttl)
end
