import { optionError } from '../../core/option-error.js'
import { TimeoutError, withTimeout } from '../../core/timeout.js'

/**
 * A client of the package `redis` (node-redis 5 and 6): from `createClient`, `createClientPool`, `createCluster` or
 * `createSentinel`.
 */
export interface NodeRedisClient {
  // biome-ignore lint/suspicious/noExplicitAny: each kind of client has arguments of its own
  sendCommand(...args: any[]): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  withTypeMapping(typeMapping: any): unknown
}

/** A client of the package `ioredis`: `Redis`, with or without Sentinels, or `Cluster`. */
export interface IoRedisClient {
  callBuffer(command: string, ...args: (string | Buffer | number)[]): Promise<unknown>
}

/** A connected client of Redis 6.2 or later, or of Valkey. The caller creates and closes it. */
export type RedisClient = NodeRedisClient | IoRedisClient

/** A separate client for messages, because a subscribed client can send few other commands. */
export type RedisSubscriber = NodeRedisSubscriber | IoRedisSubscriber

/** A connected `client.duplicate()` of the package `redis`. */
export interface NodeRedisSubscriber {
  // biome-ignore lint/suspicious/noExplicitAny: each version has types of its own
  subscribe(channel: any, listener: any): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: each version has types of its own
  unsubscribe(channel: any, listener: any): Promise<unknown>
}

/** A `client.duplicate()` of the package `ioredis`. */
export interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: ioredis declares one overload per event
  on(event: 'message', listener: (channel: string) => void): any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  off(event: 'message', listener: (channel: string) => void): any
  callBuffer: unknown
}

/**
 * Sends one command to the master that holds a key. Strings in the reply are buffers, so that bodies arrive
 * unchanged.
 */
export type SendCommand = (key: string, ...args: (string | Buffer)[]) => Promise<unknown>

// 36 is the character code of '$', the type of bulk strings: RESP_TYPES.BLOB_STRING of node-redis.
const replyOptions = { typeMapping: { 36: Buffer } }

// After these milliseconds, one command is sent even though an earlier command is overdue.
const retryInterval = 5_000

/**
 * Creates a function that sends commands through any supported client, with a time limit. While a command is overdue,
 * later commands are rejected immediately and are not sent, because clients queue without limit and a connection
 * answers in order. Another connection of a pool or a cluster may answer, so one command is still sent every five
 * seconds; once it is answered, all commands are sent again.
 *
 * @param timeout Milliseconds. A later reply is ignored, but Redis may have executed the command.
 * @throws TypeError when `client` is not supported.
 */
export function createCommandSender(client: RedisClient, timeout: number): SendCommand {
  const { sendNow, firstConnection } = connectionOf(client)
  let overdue: Promise<unknown> | undefined
  let retryAt = 0

  const send: SendCommand = async (...command) => {
    await firstConnection()
    // A command fails at once while the connection is lost: the client would queue it, and an entry that reaches Redis
    // later would count as new.
    if (isLost(client)) throw new Error('Redis is not connected')
    return sendNow(...command)
  }
  return async (...command) => {
    const isRetry = overdue !== undefined
    if (isRetry && performance.now() < retryAt) throw new Error('Redis has not answered an earlier command yet')
    retryAt = performance.now() + retryInterval
    const reply = send(...command)
    try {
      const value = await withTimeout(timeout, reply)
      if (isRetry) overdue = undefined
      return value
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      overdue = reply
      const settle = () => {
        if (overdue === reply) overdue = undefined
      }
      reply.then(settle, settle)
      throw new TimeoutError(`Redis did not answer within ${timeout} ms`)
    }
  }
}

// All stores and indexes of a client share one connection, because Node warns of more than ten listeners of an event.
const connections = new WeakMap<RedisClient, ReturnType<typeof connect>>()

function connectionOf(client: RedisClient) {
  const connection = connections.get(client) ?? connect(client)
  connections.set(client, connection)
  return connection
}

const connect = (client: RedisClient) => ({ sendNow: bind(client), firstConnection: trackFirstConnection(client) })

/** `isOpen` and `isReady` of node-redis, `status` of ioredis. */
interface ConnectionState {
  isOpen?: boolean
  isReady?: boolean
  status?: string
  once(event: 'ready', listener: () => void): unknown
}

/**
 * Returns a function that returns a promise while a client establishes its first connection: until then, a client
 * without an offline queue rejects commands. After that, a lost connection counts as an unavailable Redis.
 */
function trackFirstConnection(client: RedisClient): () => Promise<void> | undefined {
  const state = client as Partial<ConnectionState>
  // Pools and node-redis clusters do not have this state; node-redis sentinels do not have this event.
  if (isReady(state) || 'getSentinelNode' in client) return () => undefined
  let connection: Promise<void> | undefined = new Promise((resolve) => {
    state.once?.('ready', () => {
      connection = undefined
      resolve()
    })
  })
  return () => (state.isOpen === true || connecting.has(state.status) ? connection : undefined)
}

const isReady = ({ isReady, status }: Partial<ConnectionState>) =>
  isReady ?? (status === undefined || status === 'ready')

/** Whether a client reports that it has lost its connection. Pools and clusters of node-redis do not report it. */
function isLost(client: RedisClient): boolean {
  const state = client as Partial<ConnectionState>
  // With `lazyConnect`, ioredis waits for the first command.
  return !isReady(state) && state.status !== 'wait'
}

const connecting: ReadonlySet<unknown> = new Set(['connecting', 'connect', 'reconnecting'])

function bind(client: RedisClient): SendCommand {
  const { callBuffer, sendCommand, withTypeMapping, options } = Object(client)
  // ioredis also has a sendCommand, with other arguments.
  if (typeof callBuffer === 'function') {
    const io = client as IoRedisClient
    // With auto-pipelining, ioredis' `callBuffer` loses the command's name.
    if (options?.enableAutoPipelining !== true) return (_, name, ...args) => io.callBuffer(String(name), ...args)
    const hint = 'client.duplicate({ enableAutoPipelining: false }) is one'
    throw optionError('client', 'a client of ioredis without enableAutoPipelining', client, hint)
  }
  if (typeof sendCommand !== 'function') {
    throw optionError('client', "a connected client of the package 'redis' or 'ioredis'", client)
  }
  if (typeof withTypeMapping !== 'function') {
    const hint = 'redis 4 and legacy() are not supported'
    throw optionError('client', "a client of the package 'redis' 5 or later", client, hint)
  }
  const node = client as NodeRedisClient
  surviveErrors(node)
  if ('nodeClient' in node) return (key, ...command) => node.sendCommand(key, false, command, replyOptions)
  if ('getSentinelNode' in node) return (_, ...command) => node.sendCommand(false, command, replyOptions)
  return (_, ...command) => node.sendCommand(command, replyOptions)
}

/**
 * Adds a listener for errors: without one, a client of node-redis that loses its connection ends the process. The
 * listener need not do anything, because commands reject in any case.
 */
function surviveErrors(client: object): void {
  // The listener is removed first, because the same client may be passed to several indexes, also as their subscriber.
  for (const method of ['off', 'on']) (client as Emitter)[method]?.('error', ignore)
}

type Emitter = Record<string, ((event: 'error', listener: () => void) => unknown) | undefined>
const ignore = () => {}

/**
 * Subscribes to a channel. Both clients subscribe again after a lost connection; polling makes up for messages that
 * are lost meanwhile.
 *
 * @returns A function that unsubscribes.
 */
export function subscribe(subscriber: RedisSubscriber, channel: string, onMessage: () => void): () => void {
  if ('callBuffer' in subscriber) {
    const onAnyMessage = (from: string) => {
      if (from === channel) onMessage()
    }
    subscriber.on('message', onAnyMessage)
    subscriber.subscribe(channel).catch(ignore)
    return () => {
      subscriber.off('message', onAnyMessage)
      subscriber.unsubscribe(channel).catch(ignore)
    }
  }
  surviveErrors(subscriber)
  subscriber.subscribe(channel, onMessage).catch(ignore)
  return () => void subscriber.unsubscribe(channel, onMessage).catch(ignore)
}
