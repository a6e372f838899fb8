import { createHash } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script on a key (`KEYS`) with arguments (`ARGV`). */
export type Script = (key: string, ...args: string[]) => Promise<unknown>

/**
 * Creates a function that runs a Lua script, which Redis does atomically: by its digest, or by its source when Redis does
 * not know the digest, as after a restart.
 */
export function createScript(send: SendCommand, source: string): Script {
  const digest = createHash('sha1').update(source).digest('hex')
  return async (key, ...args) => {
    try {
      return await send(key, 'EVALSHA', digest, '1', key, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return send(key, 'EVAL', source, '1', key, ...args)
    }
  }
}

/**
 * Returns an entry and the rest of its lifetime in milliseconds. ARGV: 1 maximum number of bytes; of a larger value, such as
 * another program's of 512 MB, it returns only their number.
 */
export const entrySource = `
local size = redis.call('STRLEN', KEYS[1])
if size > tonumber(ARGV[1]) then return size end
return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`

/**
 * Does everything with the state of the tags, which is one key, so that it is lost as a whole or not at all. The state is reset
 * under a new epoch when it is missing, since Redis was emptied, and when it was written under another `master_replid`, since
 * purges may have been acknowledged there that never came here: that ID is new when a process starts and when a replica becomes
 * the master. A process that is not the master, or does not say, answers with an error.
 *
 * `stamp` and `purged` begin with a write that changes nothing, and is not replicated: Redis rejects it where it would reject a purge,
 * on a replica (READONLY) and on a master without its replicas (NOREPLICAS), so a demoted or separated master does not answer.
 * `purge` does without, since a full Redis rejects only the first write of a script.
 *
 * ARGV: 1 operation; 2 epoch for a reset; 3 channel, where purges and resets are published. Operations:
 *
 * - `stamp` returns epoch and sequence number.
 * - `purged` returns the strongest purge since a stamp. ARGV: 4 epoch, 5 sequence number, then tags. A number that was never given
 *   out counts as purged.
 * - `purge` increments the sequence number, stores it for each tag, and returns as `stamp` does. Beyond the maximum size the state
 *   is reset. ARGV: 4 field prefix ('h:' or 's:'), 5 maximum number of bytes, then tags.
 */
export const tagSource = `
local operation = ARGV[1]
if operation ~= 'purge' then redis.call('HDEL', KEYS[1], '') end

local info = redis.call('INFO', 'replication')
local master = string.find(info, 'role:master', 1, true) and string.match(info, 'master_replid:(%x+)')
if not master then
  return { err = 'ERR no master, or INFO lacks role and master_replid, so that a failover would go unnoticed' }
end
local function reset()
  redis.call('PUBLISH', ARGV[3], '')
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', ARGV[2], 'sequence', '0', 'master', master)
  return ARGV[2], 0
end
local state = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'master')
local epoch, sequence = state[1], tonumber(state[2])
if not epoch or state[3] ~= master then epoch, sequence = reset() end

if operation == 'purged' then
  local since, purge = tonumber(ARGV[5]), 'none'
  if ARGV[4] ~= epoch or since > sequence then return 'hard' end
  for index = 6, #ARGV do
    local last = redis.call('HMGET', KEYS[1], 'h:' .. ARGV[index], 's:' .. ARGV[index])
    if last[1] and tonumber(last[1]) > since then return 'hard' end
    if last[2] and tonumber(last[2]) > since then purge = 'soft' end
  end
  return purge
end

if operation == 'purge' then
  sequence = sequence + 1
  redis.call('HSET', KEYS[1], 'sequence', sequence)
  for index = 6, #ARGV do redis.call('HSET', KEYS[1], ARGV[4] .. ARGV[index], sequence) end
  if redis.call('MEMORY', 'USAGE', KEYS[1]) > tonumber(ARGV[5]) then epoch, sequence = reset() end
  redis.call('PUBLISH', ARGV[3], '')
end
return { epoch, sequence }`
