/** A client of its own for messages: one that has subscribed can do little else. */
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
 * Listens to a channel, and gives the function that ends it. Both clients subscribe again after a lost connection;
 * messages that were sent meanwhile are lost, and nobody may depend on them.
 */
export function listen(subscriber: RedisSubscriber, channel: string, onMessage: (message: string) => void): () => void {
  if ('callBuffer' in subscriber) {
    const onAny = (from: string, message: string) => {
      if (from === channel) onMessage(message)
    }
    subscriber.on('message', onAny)
    subscriber.subscribe(channel).catch(() => {}) // the poll sees to it all the same
    return () => {
      subscriber.off('message', onAny)
      subscriber.unsubscribe(channel).catch(() => {})
    }
  }
  const listener = (message: string) => onMessage(message)
  subscriber.subscribe(channel, listener).catch(() => {})
  return () => void subscriber.unsubscribe(channel, listener).catch(() => {})
}
