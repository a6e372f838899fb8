import { optionError } from '../../core/option-error.js'
import { TimeoutError, withTimeout } from '../../core/timeout.js'

/** A client of the package `redis` (node-redis 5 and 6): of `createClient`, `createClientPool`, `createCluster` or `createSentinel`. */
export interface NodeRedisClient {
  // biome-ignore lint/suspicious/noExplicitAny: each kind of client has arguments of its own
  sendCommand(...args: any[]): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  withTypeMapping(typeMapping: any): unknown
}

/** A client of the package `ioredis`: `Redis`, also with Sentinels, or `Cluster`. */
export interface IoRedisClient {
  callBuffer(command: string, ...args: (string | Buffer | number)[]): Promise<unknown>
}

/** A connected client of Redis 6.2 or later, or of Valkey. The caller creates and closes it. */
export type RedisClient = NodeRedisClient | IoRedisClient

/**
 * Sends one command to the master that has a key. Replies have bytes in place of strings, so that bodies arrive unchanged.
 */
export type SendCommand = (key: string, ...args: (string | Buffer)[]) => Promise<unknown>

// '$', the type of bulk strings: RESP_TYPES.BLOB_STRING of node-redis.
const replyOptions = { typeMapping: { 36: Buffer } }

// Milliseconds. A process that starts is busy with loading its modules.
const firstConnectionTimeout = 5_000

// Milliseconds after which one command is sent although an earlier one is overdue.
const retryInterval = 5_000

/** What of a client took longer than its time limit, and is not answered yet. */
interface Overdue {
  commands: Set<Promise<unknown>>
  /** When one command is sent nevertheless, by `performance.now()`. */
  retryAt: number
}

const overdueCommands = new WeakMap<RedisClient, Overdue>()

/**
 * Creates a function that sends commands through any supported client, with a time limit. Clients queue without bound what
 * is not answered. A connection answers in order: while one command is overdue, later ones are rejected at once and are
 * not sent. So no more are queued than were sent within one time limit, whatever the client's own queue and retries. Of
 * several connections, as a pool has them, others may answer: every five seconds one command is sent, and once it is answered,
 * all are again.
 *
 * @param timeout Milliseconds. A later reply is ignored, but Redis may have executed the command.
 * @throws TypeError when `client` is not supported.
 */
export function createCommandSender(client: RedisClient, timeout: number): SendCommand {
  const send = bind(client)
  const overdue: Overdue = overdueCommands.get(client) ?? { commands: new Set(), retryAt: 0 }
  overdueCommands.set(client, overdue)
  const firstConnection = trackFirstConnection(client)
  return async (key, ...args) => {
    const connection = firstConnection()
    if (connection) await withTimeout(firstConnectionTimeout, connection)
    const isRetry = overdue.commands.size > 0
    if (isRetry && performance.now() < overdue.retryAt) throw new Error('Redis has not answered an earlier command yet')
    if (isRetry) overdue.retryAt = performance.now() + retryInterval
    const reply = send(key, args)
    try {
      const value = await withTimeout(timeout, reply)
      if (isRetry) overdue.commands.clear()
      return value
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      overdue.retryAt = performance.now() + retryInterval
      overdue.commands.add(reply)
      const settle = () => void overdue.commands.delete(reply)
      reply.then(settle, settle)
      throw new TimeoutError(`Redis did not answer within ${timeout} ms`)
    }
  }
}

/**
 * Returns a function that returns a promise for the first connection of a client while that is being established: until
 * then a client without a queue rejects commands, although Redis is there. Otherwise it returns `undefined`, as for a
 * connection that was lost, since Redis then counts as unavailable.
 */
function trackFirstConnection(client: RedisClient): () => Promise<void> | undefined {
  const state = client as Partial<ConnectionState>
  // Pools, and node-redis' clusters and sentinels, have no such state.
  const isUnconnected = state.isReady === false || (state.status !== undefined && state.status !== 'ready')
  if (!isUnconnected || 'getSentinelNode' in client) return () => undefined
  let connection: Promise<void> | undefined = new Promise((resolve) => {
    state.once?.('ready', () => {
      connection = undefined
      resolve()
    })
  })
  return () => (state.isOpen === true || connecting.has(state.status) ? connection : undefined)
}

/** `isOpen` and `isReady` of node-redis, `status` of ioredis. */
interface ConnectionState {
  isOpen?: boolean
  isReady?: boolean
  status?: string
  once(event: string, listener: () => void): unknown
}

const connecting: ReadonlySet<unknown> = new Set(['connecting', 'connect', 'reconnecting'])

/** Whether each command goes over the one connection of the client, in the order of the calls, and is never sent again. */
export function hasOneConnection(client: RedisClient): boolean {
  if ('callBuffer' in client) {
    const { isCluster } = client as { isCluster?: unknown }
    return isCluster !== true && readOptions(client).autoResendUnfulfilledCommands === false
  }
  return !('nodeClient' in client || 'getSentinelNode' in client || 'totalClients' in client)
}

function bind(client: RedisClient): (key: string, args: (string | Buffer)[]) => Promise<unknown> {
  if (typeof client !== 'object' || client === null) throw unsupported(client)
  // ioredis also has a sendCommand, with other arguments.
  if ('callBuffer' in client && typeof client.callBuffer === 'function') {
    // With it, ioredis' `call` loses the command's name.
    if (readOptions(client).enableAutoPipelining === true) {
      throw optionError(
        'client',
        'a client of ioredis without enableAutoPipelining',
        client,
        'client.duplicate({ enableAutoPipelining: false }) is one',
      )
    }
    return async (_, [command, ...args]) => client.callBuffer(String(command), ...args)
  }
  if ('sendCommand' in client && typeof client.sendCommand === 'function') {
    if (typeof client.withTypeMapping !== 'function') {
      throw optionError(
        'client',
        "a client of the package 'redis' 5 or later",
        client,
        'redis 4 and legacy() are not supported',
      )
    }
    if ('nodeClient' in client) return async (key, args) => client.sendCommand(key, false, args, replyOptions)
    if ('getSentinelNode' in client) return async (_, args) => client.sendCommand(false, args, replyOptions)
    return async (_, args) => client.sendCommand(args, replyOptions)
  }
  throw unsupported(client)
}

function unsupported(client: unknown): TypeError {
  return optionError('client', "a connected client of the package 'redis' or 'ioredis'", client)
}

function readOptions(client: IoRedisClient): Record<string, unknown> {
  const { options } = client as { options?: unknown }
  return typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : {}
}
