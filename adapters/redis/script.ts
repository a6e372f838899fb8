import { createHash } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script with keys (`KEYS`) and arguments (`ARGV`). */
export type Script = (keys: readonly string[], args: readonly (string | Buffer)[]) => Promise<unknown>

/**
 * Creates a function that runs a Lua script, which Redis does atomically: by its digest, or by its source when Redis does
 * not know the digest, as after a restart.
 */
export function createScript(send: SendCommand, source: string): Script {
  const digest = createHash('sha1').update(source).digest('hex')
  return async (keys, args) => {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return await send('EVALSHA', digest, ...rest)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return send('EVAL', source, ...rest)
    }
  }
}

/**
 * Reads the state of the tags, and resets it under a new epoch in two cases: when it is missing, since Redis was emptied;
 * and when another Redis process wrote it, since that one may have acknowledged purges that it never wrote to its disk or
 * never sent to its replica. The state is one key, so that it is lost as a whole or not at all.
 *
 * ARGV: 1 epoch for a reset, 2 whether another process causes a reset ('1'), 3 channel.
 */
const findState = `
local run = ''
if ARGV[2] == '1' then run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '' end
local state = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'run', 'floor')
if not state[1] or (ARGV[2] == '1' and state[3] ~= run) then
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'sequence', '0', 'run', run, 'floor', '0')
  redis.call('PUBLISH', ARGV[3], ARGV[1] .. ' 0')
  state = { ARGV[1], '0', run, '0' }
end
`

/** Returns epoch and sequence. */
export const stampSource = `${findState}
return { state[1], tonumber(state[2]) }`

/**
 * Returns 2 when any of the tags was hard-purged since a stamp, 1 when one was soft-purged, 0 otherwise. ARGV: 4 epoch,
 * 5 sequence, then tags. `unpack` is called with chunks, since Lua limits its arguments.
 */
export const purgedSource = `${findState}
local since = tonumber(ARGV[5])
if state[1] ~= ARGV[4] or since < tonumber(state[4]) then return 2 end
local verdict = 0
for first = 6, #ARGV, 1000 do
  local fields = {}
  for index = first, math.min(first + 999, #ARGV) do
    fields[#fields + 1] = 'h:' .. ARGV[index]
    fields[#fields + 1] = 's:' .. ARGV[index]
  end
  local numbers = redis.call('HMGET', KEYS[1], unpack(fields))
  for index = 1, #fields, 2 do
    if numbers[index] and tonumber(numbers[index]) > since then return 2 end
    if numbers[index + 1] and tonumber(numbers[index + 1]) > since then verdict = 1 end
  end
end
return verdict`

/**
 * Purges tags: increments the sequence, stores the number for each tag and publishes it. Beyond the maximum, all tags are
 * dropped and everything older counts as purged (`floor`). ARGV: 4 field prefix ('h:' or 's:'), 5 maximum number of
 * fields, then tags.
 */
export const purgeSource = `${findState}
local sequence = redis.call('HINCRBY', KEYS[1], 'sequence', 1)
for first = 6, #ARGV, 1000 do
  local fields = {}
  for index = first, math.min(first + 999, #ARGV) do
    fields[#fields + 1] = ARGV[4] .. ARGV[index]
    fields[#fields + 1] = sequence
  end
  redis.call('HSET', KEYS[1], unpack(fields))
end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[5]) then
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', state[1], 'sequence', sequence, 'run', state[3], 'floor', sequence)
end
redis.call('PUBLISH', ARGV[3], state[1] .. ' ' .. sequence)
return { state[1], sequence }`

/**
 * Stores an entry and the time at which its age was 0, by the clock of Redis. ARGV: 1 bytes, 2 age in ms, 3 ttl in ms. A
 * full Redis rejects only the first write of a script. When the write fails, the previous entry is removed.
 */
export const setSource = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = redis.pcall('HSET', KEYS[1], 'since', string.format('%.0f', now - tonumber(ARGV[2])), 'entry', ARGV[1])
if type(kept) == 'table' and kept.err then
  redis.call('UNLINK', KEYS[1])
  return kept
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

/**
 * Returns the age in milliseconds and the bytes of an entry, or only its length when that is more than ARGV 1: what another
 * program wrote under the key may be 512 MB.
 */
export const getSource = `
local length = redis.call('HSTRLEN', KEYS[1], 'entry')
if length > tonumber(ARGV[1]) then return length end
local kept = redis.call('HMGET', KEYS[1], 'since', 'entry')
if not kept[1] or not kept[2] then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return { now - tonumber(kept[1]), kept[2] }`
