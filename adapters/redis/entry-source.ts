/** Bytes of a block of a body: a range is read without the rest, and a large body in pieces of some blocks. */
export const blockBytes = 64 * 1024

/*
 * An entry is a hash: `since`, the time at which its age was 0 by the clock of Redis in milliseconds; `head`; `length` of its body in
 * bytes; `version`, the name of what wrote it; and blocks of the body, `a0`, `a1`, … or `b0`, `b1`, …: `slot` says which. A body that
 * is written in pieces goes to the other slot, and `writer` is what writes there. So it is read as a whole until the last piece of the
 * next one is there, and pieces of two bodies are never mixed.
 */

/**
 * Stores a piece of an entry. ARGV: 1 age in ms, 2 ttl in ms, 3 head, 4 length of the body, 5 version, 6 number of the first block
 * of the piece, 7 of the last block of the body, then blocks. Returns 0 when the entry was removed or is being replaced meanwhile.
 * A full Redis rejects only the first write of a script. When that fails, the previous entry is removed. `unpack` is called with
 * chunks, since Lua limits its arguments.
 */
export const setSource = `
local before = redis.pcall('HMGET', KEYS[1], 'since', 'slot', 'writer')
if before.err then
  redis.call('UNLINK', KEYS[1])
  return before
end
local first = tonumber(ARGV[6])
local isFirst = first == 0
local isLast = first + #ARGV - 8 >= tonumber(ARGV[7])
if not isFirst and before[3] ~= ARGV[5] then return 0 end
local slot, other = before[2] or 'a', 'b'
if slot == 'b' then other = 'a' end
if not (isFirst and isLast) then slot, other = other, slot end
local kept
if isLast then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local since = string.format('%.0f', now - tonumber(ARGV[1]))
  kept = redis.pcall('HSET', KEYS[1], 'since', since, 'head', ARGV[3], 'length', ARGV[4], 'version', ARGV[5], 'slot', slot)
else
  kept = redis.pcall('HSET', KEYS[1], 'writer', ARGV[5])
end
if type(kept) == 'table' and kept.err then
  redis.call('UNLINK', KEYS[1])
  return kept
end
for start = 8, #ARGV, 1000 do
  local fields = {}
  for index = start, math.min(start + 999, #ARGV) do
    fields[#fields + 1] = slot .. (first + index - 8)
    fields[#fields + 1] = ARGV[index]
  end
  redis.call('HSET', KEYS[1], unpack(fields))
end
if not isLast then
  if not before[1] then redis.call('PEXPIRE', KEYS[1], 60000) end
  return 1
end
local rest = first + #ARGV - 7
while redis.call('HDEL', KEYS[1], slot .. rest) == 1 do rest = rest + 1 end
rest = 0
while redis.call('HDEL', KEYS[1], other .. rest) == 1 do rest = rest + 1 end
if before[3] then redis.call('HDEL', KEYS[1], 'writer') end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/**
 * Returns the age in milliseconds, the version, the length of the body, the head, and blocks of the body. ARGV: 1 number of the first
 * block from 0, 2 of the last one, or '' for that of the whole body, 3 bytes of head and blocks beyond which it returns no blocks,
 * 4 bytes of the head beyond which it returns only the length of head and body: what another program wrote under the key may be
 * 512 MB, 5 version of which these have to be, and then without the head, or ''.
 */
export const getSource = `
local kept = redis.call('HMGET', KEYS[1], 'since', 'length', 'version', 'slot')
local length = tonumber(kept[2] or '')
if not kept[1] or not length or not kept[3] or not kept[4] then return false end
local version = ARGV[5]
if version ~= '' and version ~= kept[3] then return false end
local size = redis.call('HSTRLEN', KEYS[1], 'head')
if size > tonumber(ARGV[4]) then return size + length end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = version == '' and redis.call('HMGET', KEYS[1], 'head')[1] or ''
local reply = { now - tonumber(kept[1]), kept[3], kept[2], head }
local first = tonumber(ARGV[1])
local last = math.min(math.ceil(length / ${blockBytes}) - 1, tonumber(ARGV[2]) or math.huge)
size = #head + math.min(math.max(last - first + 1, 0) * ${blockBytes}, length)
if size > tonumber(ARGV[3]) then return reply end
for index = first, last do
  local name = kept[4] .. index
  if redis.call('HSTRLEN', KEYS[1], name) > ${blockBytes} then return false end
  reply[#reply + 1] = redis.call('HMGET', KEYS[1], name)[1]
end
return reply`

export const removeSource = "return redis.call('UNLINK', KEYS[1])"
