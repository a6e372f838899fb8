/**
 * The script that does everything with the state of the tags, which is one key, so that it is lost as a whole or not at all.
 * It is reset under a new epoch in two cases: when it is missing, since Redis was emptied; and when it was written in
 * another masterId, since purges may have been acknowledged there that never came here.
 *
 * A masterId is the time that one Redis process is the master without a break: `master_replid` changes when a process starts
 * and when a replica becomes the master. A process that is no master, or does not say, has no masterId: an error.
 *
 * A stamp writes something that changes nothing, and is neither replicated nor kept: Redis rejects it where it would
 * reject a purge, on a replica (READONLY) and on a master without its replicas (NOREPLICAS). So a demoted or separated
 * master does not answer. A purge does without: a full Redis rejects only the first write of a script.
 *
 * ARGV: 1 epoch for a reset; 2 the masterId that this process is known to have, '' when it has to be found out, or
 * 'durable' when any masterId's state is complete; 3 channel; 4 operation. Redis before 7 is asked for its masterId each time
 * (`tag-script.ts` says why). The reply begins with the masterId, epoch and sequence number. Operations:
 *
 * - `stamp`.
 * - `purged`: ARGV from 5, for each query, epoch, sequence number, number of tags, tags. Replies with an answer for each:
 *   2 when any of the tags was hard-purged since, 1 when one was soft-purged, 0 otherwise. A number beyond the current one was
 *   never given out, or Redis has lost what came after: nobody knows what was purged since, and later purges would be below it.
 * - `purge`: increments the sequence number, stores it for each tag and publishes it. With 'durable' it is at least the time in
 *   microseconds: what a master has given out and lost, as while its replicas were gone, is never given out again by the next one,
 *   whose clock is not behind by more than a failover takes. Beyond the maximum, all tags are dropped and everything older counts
 *   as purged (`floor`). ARGV: 5 field prefix ('h:' or 's:'), 6 maximum number of bytes, then tags. Replies with the number of
 *   fields that were dropped.
 *
 * `unpack` is called with chunks, since Lua limits its arguments.
 */
export const tagSource = `
local operation = ARGV[4]
if operation ~= 'purge' then redis.call('HDEL', KEYS[1], '') end

local state = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'masterId', 'floor')
local masterId = ARGV[2]
if masterId == 'durable' then
  masterId = state[3] or ''
elseif masterId == '' or masterId ~= state[3] or not redis.REDIS_VERSION_NUM then
  local info = redis.call('INFO', 'replication')
  masterId = string.find(info, 'role:master', 1, true) and string.match(info, 'master_replid:(%x+)')
  if not masterId then
    return { err = 'ERR no master, or INFO lacks role and master_replid, so that a failover would go unnoticed' }
  end
end
if not state[1] or state[3] ~= masterId then
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'sequence', '0', 'masterId', masterId, 'floor', '0')
  redis.call('PUBLISH', ARGV[3], ARGV[1] .. ' 0')
  state = { ARGV[1], '0', masterId, '0' }
end
local reply = { masterId, state[1], tonumber(state[2]) }
if operation == 'stamp' then return reply end

if operation == 'purged' then
  local function answer(epoch, since, first, last)
    if state[1] ~= epoch or since < tonumber(state[4]) or since > tonumber(state[2]) then return 2 end
    local purged = 0
    for start = first, last, 1000 do
      local fields = {}
      for index = start, math.min(start + 999, last) do
        fields[#fields + 1] = 'h:' .. ARGV[index]
        fields[#fields + 1] = 's:' .. ARGV[index]
      end
      local numbers = redis.call('HMGET', KEYS[1], unpack(fields))
      for index = 1, #fields, 2 do
        if numbers[index] and tonumber(numbers[index]) > since then return 2 end
        if numbers[index + 1] and tonumber(numbers[index + 1]) > since then purged = 1 end
      end
    end
    return purged
  end
  local index = 5
  while index <= #ARGV do
    local last = index + 2 + tonumber(ARGV[index + 2])
    reply[#reply + 1] = answer(ARGV[index], tonumber(ARGV[index + 1]), index + 3, last)
    index = last + 1
  end
  return reply
end

local sequence = tonumber(state[2]) + 1
if ARGV[2] == 'durable' then
  local time = redis.call('TIME')
  sequence = math.max(sequence, time[1] * 1000000 + time[2])
end
sequence = string.format('%.0f', sequence)
redis.call('HSET', KEYS[1], 'sequence', sequence)
for first = 7, #ARGV, 1000 do
  local fields = {}
  for index = first, math.min(first + 999, #ARGV) do
    fields[#fields + 1] = ARGV[5] .. ARGV[index]
    fields[#fields + 1] = sequence
  end
  redis.call('HSET', KEYS[1], unpack(fields))
end
local dropped = 0
if redis.call('MEMORY', 'USAGE', KEYS[1]) > tonumber(ARGV[6]) then
  dropped = redis.call('HLEN', KEYS[1]) - 4
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', state[1], 'sequence', sequence, 'masterId', masterId, 'floor', sequence)
end
redis.call('PUBLISH', ARGV[3], state[1] .. ' ' .. sequence)
return { masterId, state[1], tonumber(sequence), dropped }`
