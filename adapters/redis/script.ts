import { createHash } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script on a key (`KEYS`) with arguments (`ARGV`). */
export type Script = (key: string, ...args: (string | Buffer)[]) => Promise<unknown>

/**
 * Creates a function that runs a Lua script, which Redis does atomically: by its digest, or by its source when Redis does
 * not know the digest, as after a restart.
 */
export function createScript(send: SendCommand, source: string): Script {
  const digest = digestScript(source)
  return async (key, ...args) => {
    try {
      return await send(key, 'EVALSHA', digest, '1', key, ...args)
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return send(key, 'EVAL', source, '1', key, ...args)
    }
  }
}

export function digestScript(source: string): string {
  return createHash('sha1').update(source).digest('hex')
}

/** Whether Redis does not know the digest of a script. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

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
 * Reads an entry. ARGV: 1 maximum length in bytes, 2 name of the key, with which the reply begins. After it come the age in
 * milliseconds and the bytes; or only the length when it is above the maximum, since what another program wrote under the
 * key may be 512 MB; or nothing when there is no entry.
 */
export const getSource = `
local length = redis.call('HSTRLEN', KEYS[1], 'entry')
if length > tonumber(ARGV[1]) then return { ARGV[2], length } end
local kept = redis.call('HMGET', KEYS[1], 'since', 'entry')
if not kept[1] or not kept[2] then return { ARGV[2] } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return { ARGV[2], now - tonumber(kept[1]), kept[2] }`
