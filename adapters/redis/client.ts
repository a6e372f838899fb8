import { optionError } from '../../core/option-error.js'
import { TimeoutError, withTimeout } from '../../core/timeout.js'

/** A client of the package `redis` (node-redis 5). */
export interface NodeRedisClient {
  // biome-ignore lint/suspicious/noExplicitAny: each version has options of its own
  sendCommand(args: any, options?: any): Promise<unknown>
}

/** A client of the package `ioredis`. */
export interface IoRedisClient {
  callBuffer(command: string, ...args: (string | Buffer | number)[]): Promise<unknown>
}

/** A connected client of Redis 6.2 or later, or of Valkey. The caller creates and closes it. */
export type RedisClient = NodeRedisClient | IoRedisClient

/** Sends one command. Replies have bytes in place of strings, so that bodies arrive unchanged. */
export type SendCommand = (...args: (string | Buffer)[]) => Promise<unknown>

// '$', the type of bulk strings: RESP_TYPES.BLOB_STRING of node-redis.
const bulkString = 36

/**
 * Creates a function that sends commands through either client, with a time limit: a client that is not connected queues
 * commands.
 *
 * @param timeout Milliseconds. A later reply is ignored, but Redis may have executed the command.
 * @throws TypeError when `client` is not a client of either package.
 */
export function createSend(client: RedisClient, timeout: number): SendCommand {
  const send = bind(client)
  const nameRedis = (error: unknown): never => {
    if (!(error instanceof TimeoutError)) throw error
    throw new TimeoutError(`Redis did not answer within ${timeout} ms`)
  }
  return (...args) => withTimeout(timeout, send(args)).catch(nameRedis)
}

function bind(client: RedisClient): (args: (string | Buffer)[]) => Promise<unknown> {
  // ioredis also has a sendCommand, with other arguments.
  if (client && 'callBuffer' in client && typeof client.callBuffer === 'function') {
    return async ([command, ...args]) => client.callBuffer(String(command), ...args)
  }
  if (client && 'sendCommand' in client && typeof client.sendCommand === 'function') {
    return async (args) => client.sendCommand(args, { typeMapping: { [bulkString]: Buffer } })
  }
  throw optionError('client', "a connected client of the package 'redis' or 'ioredis'", client)
}
