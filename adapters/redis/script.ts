import { createHash, randomUUID } from 'node:crypto'
import type { SendCommand } from './client.js'

/** Runs a script on a key (`KEYS`) with arguments (`ARGV`). */
export type Script = (key: string, ...args: (string | Buffer)[]) => Promise<unknown>

const processId = randomUUID()
let commands = 0

/**
 * Returns a text that no other command has. A connection that loses one reply, as through a broken proxy, gives each command
 * the reply to the next one: a page in place of another. Replies that repeat the text cannot be mistaken.
 */
export function createCommandId(): string {
  return `${processId} ${++commands}`
}

/** Returns a script that does the same, and whose reply is the last argument, which is not in `ARGV`, then its own reply. */
export function toEchoingSource(source: string): string {
  return `local id = table.remove(ARGV)
local function run()
${source}
end
local reply = run()
if type(reply) == 'table' and reply.err then return reply end
return { id, reply }`
}

/**
 * Runs a script of {@link toEchoingSource}.
 *
 * @param command `EVALSHA` and the digest, or `EVAL` and the source.
 * @throws what `send` throws; a `TypeError` for the reply to another command.
 */
export async function runScript(
  send: SendCommand,
  command: readonly [name: string, script: string],
  key: string,
  args: readonly (string | Buffer)[],
): Promise<unknown> {
  const id = createCommandId()
  const reply = await send(key, ...command, '1', key, ...args, id)
  checkCommandId(id, Array.isArray(reply) ? reply[0] : undefined)
  return (reply as unknown[])[1]
}

/** @throws TypeError when a reply repeats another text than that of its command. */
export function checkCommandId(id: string, echoed: unknown): void {
  if (Buffer.isBuffer(echoed) && echoed.toString() === id) return
  throw new TypeError('Redis: expected the reply to this command, got another one; the connection has lost a reply')
}

/**
 * Creates a function that runs a Lua script, which Redis does atomically: by its digest, or by its source when Redis does
 * not know the digest, as after a restart.
 */
export function createScript(send: SendCommand, plainSource: string): Script {
  const source = toEchoingSource(plainSource)
  const digest = digestScript(source)
  return async (key, ...args) => {
    try {
      return await runScript(send, ['EVALSHA', digest], key, args)
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return runScript(send, ['EVAL', source], key, args)
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

/** Bytes of a field of a body: a range is read without the rest. */
export const blockBytes = 64 * 1024

/**
 * Stores an entry and the time at which its age was 0, by the clock of Redis. ARGV: 1 age in ms, 2 ttl in ms, 3 head, 4 length of
 * the body, then its blocks. A full Redis rejects only the first write of a script. When that fails, the previous entry is removed.
 * `unpack` is called with chunks, since Lua limits its arguments.
 */
export const setSource = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since = string.format('%.0f', now - tonumber(ARGV[1]))
local kept = redis.pcall('HSET', KEYS[1], 'since', since, 'head', ARGV[3], 'length', ARGV[4])
if type(kept) == 'table' and kept.err then
  redis.call('UNLINK', KEYS[1])
  return kept
end
for first = 5, #ARGV, 1000 do
  local fields = {}
  for index = first, math.min(first + 999, #ARGV) do
    fields[#fields + 1] = index - 5
    fields[#fields + 1] = ARGV[index]
  end
  redis.call('HSET', KEYS[1], unpack(fields))
end
local rest = math.max(#ARGV - 4, 0)
while redis.call('HDEL', KEYS[1], rest) == 1 do rest = rest + 1 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/**
 * Returns the age in milliseconds, the head and blocks of the body of an entry, or only the length of head and blocks when that is
 * more than ARGV 1: what another program wrote under the key may be 512 MB. ARGV: 2 number of the first block from 0, 3 of the
 * last one, or '' for that of the whole body.
 */
export const getSource = `
local kept = redis.call('HMGET', KEYS[1], 'since', 'length')
local length = tonumber(kept[2] or '')
if not kept[1] or not length then return false end
local first = tonumber(ARGV[2])
local last = math.ceil(length / ${blockBytes}) - 1
local size = redis.call('HSTRLEN', KEYS[1], 'head')
if ARGV[3] == '' then
  size = size + length
else
  last = math.min(last, tonumber(ARGV[3]))
  size = size + math.max(last - first + 1, 0) * ${blockBytes}
end
if size > tonumber(ARGV[1]) then return size end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { now - tonumber(kept[1]), redis.call('HMGET', KEYS[1], 'head')[1] }
for index = first, last do
  if redis.call('HSTRLEN', KEYS[1], index) > ${blockBytes} then return false end
  reply[#reply + 1] = redis.call('HMGET', KEYS[1], index)[1]
end
return reply`

export const removeSource = "return redis.call('UNLINK', KEYS[1])"
