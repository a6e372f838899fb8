import { maxSmallBytes, pieceBytes } from './pieces.js'

/*
 * An entry is a hash: `since`, the time at which its age was 0 by the clock of Redis in milliseconds; `head`; `length` of its body in
 * bytes; `version`, the name of what wrote it; and pieces of the body, `a0`, `a1`, … or `b0`, `b1`, …: `slot` says which. A body of
 * several pieces goes to the other slot, and `writer` is what writes there. So it is read as a whole until the last piece of the
 * next one is there, and pieces of two bodies are never mixed.
 */

/**
 * Stores a piece of an entry. ARGV: 1 age in ms, 2 ttl in ms, 3 head, 4 length of the body, 5 version, 6 number of the piece, 7 of the
 * last piece, 8 piece. Returns 0 when the entry was removed or is being replaced meanwhile. A full Redis rejects only the first
 * write of a script. When that fails, the previous entry is removed.
 */
export const setSource = `
local before = redis.pcall('HMGET', KEYS[1], 'since', 'slot', 'writer')
if before.err then
  redis.call('UNLINK', KEYS[1])
  return before
end
local index, last = tonumber(ARGV[6]), tonumber(ARGV[7])
if index > 0 and before[3] ~= ARGV[5] then return 0 end
local slot, other = before[2] or 'a', 'b'
if slot == 'b' then other = 'a' end
if last > 0 then slot, other = other, slot end
local fields = { 'writer', ARGV[5] }
if index == last then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local since = string.format('%.0f', now - tonumber(ARGV[1]))
  fields = { 'since', since, 'head', ARGV[3], 'length', ARGV[4], 'version', ARGV[5], 'slot', slot }
end
local kept = redis.pcall('HSET', KEYS[1], slot .. index, ARGV[8], unpack(fields))
if type(kept) == 'table' and kept.err then
  redis.call('UNLINK', KEYS[1])
  return kept
end
if index < last then
  if not before[1] then redis.call('PEXPIRE', KEYS[1], 60000) end
  return 1
end
local rest = last + 1
while redis.call('HDEL', KEYS[1], slot .. rest) == 1 do rest = rest + 1 end
rest = 0
while redis.call('HDEL', KEYS[1], other .. rest) == 1 do rest = rest + 1 end
if before[3] then redis.call('HDEL', KEYS[1], 'writer') end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/**
 * Returns the age in milliseconds, the version, the length of the body, the head, and the body when both are small. ARGV: 1 bytes of
 * both beyond which it returns only their number: what another program wrote under the key may be 512 MB.
 */
export const getSource = `
local kept = redis.call('HMGET', KEYS[1], 'since', 'length', 'version', 'slot')
local length = tonumber(kept[2] or '')
if not kept[1] or not length or not kept[3] or not kept[4] then return false end
local size = redis.call('HSTRLEN', KEYS[1], 'head') + length
if size > tonumber(ARGV[1]) then return size end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = redis.call('HMGET', KEYS[1], 'head')[1] or ''
local reply = { now - tonumber(kept[1]), kept[3], kept[2], head }
if size > ${maxSmallBytes} then return reply end
local name = kept[4] .. 0
if redis.call('HSTRLEN', KEYS[1], name) > ${maxSmallBytes} then return false end
reply[5] = redis.call('HMGET', KEYS[1], name)[1]
return reply`

/** Returns a list of one piece. ARGV: 1 number of the piece, 2 version of which it has to be. */
export const pieceSource = `
local kept = redis.call('HMGET', KEYS[1], 'version', 'slot')
if kept[1] ~= ARGV[2] or not kept[2] then return false end
local name = kept[2] .. ARGV[1]
if redis.call('HSTRLEN', KEYS[1], name) > ${pieceBytes} then return false end
return redis.call('HMGET', KEYS[1], name)`

export const removeSource = "return redis.call('UNLINK', KEYS[1])"
