import { randomUUID } from 'node:crypto'
import { optionError } from '../../core/option-error.js'
import { checkInteger } from '../../core/options.js'
import { hasOneConnection, type RedisClient } from './client.js'
import { checkCommandId, createCommandId, createScript, runScript, toEchoingSource } from './script.js'
import { readReply, type TagScript, type TagScriptOptions } from './tag-script.js'
import { tagSource } from './tag-source.js'

/** What keeps acknowledged purges when a Redis process ends: its disk, and the disks of its replicas. */
export type Durability = boolean | { replicas: number }

/**
 * Returns the number of replicas that must have a purge, `undefined` when Redis keeps nothing for certain.
 *
 * @throws TypeError when `durable` makes no sense, or when the client cannot `WAIT`.
 */
export function checkDurability(durable: Durability, client: RedisClient): number | undefined {
  if (typeof durable === 'boolean') return durable ? 0 : undefined
  if (typeof durable !== 'object' || durable === null)
    throw optionError('durable', 'a boolean or { replicas }', durable)
  const replicas = checkInteger('durable.replicas', durable.replicas, 1)
  if (hasOneConnection(client)) return replicas
  throw optionError(
    'client',
    "node-redis' createClient, or ioredis with autoResendUnfulfilledCommands: false",
    client,
    'durable.replicas needs one connection',
  )
}

/** Creates a function that runs the script on a state that is complete under any master. */
export function createDurableScript({ send, key, channel }: TagScriptOptions): TagScript {
  const run = createScript(send, tagSource)
  return async (...args) => readReply(await run(key, randomUUID(), 'durable', channel, ...args))
}

const echoingSource = toEchoingSource(tagSource)

/**
 * As {@link createDurableScript}, and rejects unless a number of replicas have what it wrote. `WAIT` is about the writes of
 * its own connection, so all are sent at once, and the script by its source, which is never unknown. Its reply is a number, which
 * might be that to another command: it is not, when those before and after it are theirs.
 */
export function createReplicatedScript(options: TagScriptOptions, replicas: number, timeout: number): TagScript {
  const { send, key, channel } = options
  return async (...args) => {
    const id = createCommandId()
    const [reply, count, echoed] = await Promise.all([
      runScript(send, ['EVAL', echoingSource], key, [randomUUID(), 'durable', channel, ...args]),
      send(key, 'WAIT', String(replicas), String(Math.ceil(timeout / 2))),
      send(key, 'PING', id),
    ])
    checkCommandId(id, echoed)
    if (!(Number(count) >= replicas))
      throw new Error(`Redis: expected ${replicas} replicas to have the purge, got ${count}`)
    return readReply(reply)
  }
}
