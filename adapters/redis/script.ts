import { createHash } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script on keys and arguments. */
export type Script = (keys: readonly string[], args: readonly (string | Buffer)[]) => Promise<unknown>

/**
 * Creates the function that runs a Lua script, atomically: by its digest, and by its text where Redis does not know it,
 * as after a restart.
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
 * Finds the state of the tags, or begins anew: under a new epoch, when there is none, since Redis was emptied; and when
 * Redis is another process than the one that wrote it, since that one may have acknowledged purges that it never wrote
 * to its disk, or never sent to its replica. It is one key, so that it is lost as a whole or not at all.
 *
 * ARGV: 1 epoch to begin with, 2 whether another process counts ('1'), 3 channel.
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

/** Gives epoch and sequence. */
export const stampSource = `${findState}
return { state[1], tonumber(state[2]) }`

/**
 * Gives 2 when any tag was purged hard since a stamp, 1 when softly, 0 when not at all. ARGV: 4 epoch, 5 sequence, then
 * tags.
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
 * Purges: increments the sequence, writes the number against each tag, tells everyone. When more tags than are to be
 * kept were purged, all are forgotten, and all that is older counts as purged. ARGV: 4 field prefix ('h:' or 's:'), 5
 * most tags, then tags.
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
 * Keeps an entry, and when it began to age, by the clock of Redis. ARGV: 1 bytes, 2 age in ms, 3 ms to keep it. A full
 * Redis refuses only what a script writes first. What could not be replaced is removed.
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

/** Gives the age in milliseconds and the bytes of an entry. */
export const getSource = `
local kept = redis.call('HMGET', KEYS[1], 'since', 'entry')
if not kept[1] or not kept[2] then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return { now - tonumber(kept[1]), kept[2] }`
