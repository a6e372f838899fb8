import { createHash } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script on a key (`KEYS`) with arguments (`ARGV`). */
export type Script = (key: string, ...args: string[]) => Promise<unknown>

/**
 * Creates a function that runs a Lua script, which Redis executes atomically. It sends the digest, or the source when
 * Redis does not know the digest, for example after a restart.
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
 * Returns an entry and its remaining lifetime in milliseconds. ARGV: 1 maximum number of bytes. For a larger value,
 * such as 512 MB from another program, the script returns only the number of bytes.
 */
export const entrySource = `
local size = redis.call('STRLEN', KEYS[1])
if size > tonumber(ARGV[1]) then return size end
return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`

/**
 * Performs all operations on the state of the tags, which is one key, so that it is lost as a whole or not at all. The
 * state is reset under a new epoch in two cases: when it is missing, because Redis was emptied, and when it was written
 * under another `master_replid`, because that master may have acknowledged purges that never arrived here. This ID
 * changes when a process starts and when a replica becomes the master. A process that is not the master, or does not
 * report its role, answers with an error.
 *
 * `stamp` and `purged` begin with a write that changes nothing and is not replicated. Redis rejects it wherever it
 * would reject a purge: on a replica (READONLY) and on a master without its replicas (NOREPLICAS). A demoted or
 * separated master therefore does not answer. `purge` does not need this write, because a full Redis rejects only the
 * first write of a script.
 *
 * A sequence number is the time of the purge, in milliseconds by the clock of Redis, or one more than the last number if
 * that is higher. So the state need not keep the time of each purge.
 *
 * ARGV: 1 operation; 2 epoch for a reset; 3 channel, where purges and resets are published. Operations:
 *
 * - `stamp` returns epoch and sequence number.
 * - `purged` returns the strongest purge since a stamp. ARGV: 4 epoch, 5 sequence number, then tags. A number that
 *   was never assigned counts as purged.
 * - `age` returns the milliseconds since the last purge of any of the tags, or since the reset if that was later. ARGV: 4
 *   and more: tags.
 * - `purge` raises the sequence number, stores it for each tag, and returns the same as `stamp`. When the state
 *   exceeds the maximum size, it is reset. ARGV: 4 field prefix ('h:' or 's:'), 5 maximum number of bytes, then tags.
 */
export const tagSource = `
local operation = ARGV[1]
if operation ~= 'purge' then redis.call('HDEL', KEYS[1], '') end

local info = redis.call('INFO', 'replication')
local master = string.find(info, 'role:master', 1, true) and string.match(info, 'master_replid:(%x+)')
if not master then
  return { err = 'ERR no master, or INFO lacks role and master_replid, so that a failover would go unnoticed' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function reset()
  redis.call('PUBLISH', ARGV[3], '')
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', ARGV[2], 'sequence', now, 'began', now, 'master', master)
  return ARGV[2], now
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

if operation == 'age' then
  local last = tonumber(redis.call('HGET', KEYS[1], 'began') or 0)
  for index = 4, #ARGV do
    local purges = redis.call('HMGET', KEYS[1], 'h:' .. ARGV[index], 's:' .. ARGV[index])
    last = math.max(last, tonumber(purges[1] or 0), tonumber(purges[2] or 0))
  end
  return math.max(0, now - last)
end

if operation == 'purge' then
  sequence = math.max(sequence + 1, now)
  redis.call('HSET', KEYS[1], 'sequence', sequence)
  for index = 6, #ARGV do redis.call('HSET', KEYS[1], ARGV[4] .. ARGV[index], sequence) end
  if redis.call('MEMORY', 'USAGE', KEYS[1]) > tonumber(ARGV[5]) then epoch, sequence = reset() end
  redis.call('PUBLISH', ARGV[3], '')
end
return { epoch, sequence }`
