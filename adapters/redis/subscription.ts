/** A separate client for messages: once subscribed, a client can send few other commands. */
export type RedisSubscriber = NodeRedisSubscriber | IoRedisSubscriber

/** Of the package `redis`: `client.duplicate()`, connected. */
export interface NodeRedisSubscriber {
  // biome-ignore lint/suspicious/noExplicitAny: each version has types of its own
  subscribe(channel: any, listener: any): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: each version has types of its own
  unsubscribe(channel: any, listener: any): Promise<unknown>
}

/** Of the package `ioredis`: `client.duplicate()`. */
export interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: ioredis declares one overload per event
  on(event: 'message', listener: (channel: string, message: string) => void): any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  off(event: 'message', listener: (channel: string, message: string) => void): any
  callBuffer: unknown
}

/**
 * Subscribes to a channel. Both clients subscribe again after a lost connection; messages sent meanwhile are lost.
 *
 * @returns A function that unsubscribes.
 */
export function subscribe(
  subscriber: RedisSubscriber,
  channel: string,
  onMessage: (message: string) => void,
): () => void {
  if ('callBuffer' in subscriber) {
    const onAnyMessage = (from: string, message: string) => {
      if (from === channel) onMessage(message)
    }
    subscriber.on('message', onAnyMessage)
    subscriber.subscribe(channel).catch(() => {}) // polling covers for lost messages
    return () => {
      subscriber.off('message', onAnyMessage)
      subscriber.unsubscribe(channel).catch(() => {})
    }
  }
  const listener = (message: string) => onMessage(message)
  subscriber.subscribe(channel, listener).catch(() => {})
  return () => void subscriber.unsubscribe(channel, listener).catch(() => {})
}
