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
