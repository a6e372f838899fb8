/** A client of the package `redis` (node-redis 4 and later). */
export interface NodeRedisClient {
  // biome-ignore lint/suspicious/noExplicitAny: each version has options of its own
  sendCommand(args: any, options?: any): Promise<unknown>
}

/** A client of the package `ioredis`. */
export interface IoRedisClient {
  callBuffer(command: string, ...args: (string | Buffer | number)[]): Promise<unknown>
}

/** A connected client, made and closed by its owner. Redis 6.2 or later, or Valkey. */
export type RedisClient = NodeRedisClient | IoRedisClient

/** Sends one command. Texts come back as bytes, so that bodies do, too. */
export type SendCommand = (...args: (string | Buffer)[]) => Promise<unknown>

// '$', the type of bulk strings: RESP_TYPES.BLOB_STRING of node-redis.
const bulkString = 36

/**
 * Makes one way to send commands out of either client, with a limit of time: a client that is not connected keeps
 * commands for later.
 *
 * @param timeout Longest wait in milliseconds. What comes later is ignored, but may have been done.
 * @throws TypeError when it is no client.
 */
export function createSend(client: RedisClient, timeout: number): SendCommand {
  const send = bind(client)
  return (...args) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${timeout} ms`)), timeout)
      const settle = <T>(how: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          how(value)
        }
      }
      send(args).then(settle(resolve), settle(reject))
    })
}

function bind(client: RedisClient): (args: (string | Buffer)[]) => Promise<unknown> {
  // ioredis has a sendCommand of its own, which takes something else.
  if ('callBuffer' in client && typeof client.callBuffer === 'function') {
    return async ([command, ...args]) => client.callBuffer(String(command), ...args)
  }
  if ('sendCommand' in client && typeof client.sendCommand === 'function') {
    return async (args) => client.sendCommand(args, { typeMapping: { [bulkString]: Buffer } })
  }
  throw new TypeError("client: expected one of the package 'redis' or 'ioredis', connected")
}
