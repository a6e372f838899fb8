/** Work that takes time. The same object is published twice: when the work begins, and when it has ended. */
export interface WorkEvent {
  /** How long the work took. `undefined` until the work has ended. */
  seconds?: number
  /** The error of failed work. */
  error?: unknown
}

/**
 * The events that this package publishes on `node:diagnostics_channel`, on the channels `sitewright:cache`,
 * `sitewright:image` and so on. Nothing is published without a subscriber.
 *
 * @experimental
 * @example subscribe('sitewright:purge', (event) => console.log((event as DiagnosticEvents['purge']).target))
 */
export interface DiagnosticEvents {
  /**
   * An answer of a response cache: the visitor's request, and `Cache-Status` (RFC 9211), whose last member is that of the
   * cache. Where an Express app answers behind a cache by itself, the request is Node's `req`.
   */
  cache: { request: { method?: string | undefined; url?: string | undefined }; cacheStatus: string }
  /** An answer of the image proxy: the visitor's request, and the HTTP status. */
  image: { request: Request; status: number }
  /** A stage in which `sharpService` makes an image. `source` is the path or URL of the original. */
  'image-span': WorkEvent & { span: 'queue' | 'downloading' | 'processing'; source: string }
  /** A purge of a response cache or of a CDN, whose name is the `target`. */
  purge: WorkEvent & { target: string; tags: readonly string[] }
  /** A call of a handler for a page for all, until its head arrives. `cache` is the name of the response cache. */
  render: WorkEvent & { cache: string; url: string }
}

/** The part of a channel of `node:diagnostics_channel` that is needed. */
export interface Channel<Event> {
  readonly hasSubscribers: boolean
  publish(event: Event): void
  subscribe(onEvent: (event: Event) => void): void
}

type Diagnostics = { channel<Event>(name: string): Channel<Event> }

// The module is found without an import of Node. A platform without it, such as a Worker, publishes nothing.
const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Diagnostics | undefined } }
const diagnostics = process?.getBuiltinModule?.('node:diagnostics_channel')

const channelOf = <Name extends keyof DiagnosticEvents>(name: Name) =>
  diagnostics?.channel<DiagnosticEvents[Name]>(`sitewright:${name}`)

/** The channels of {@link DiagnosticEvents}; `undefined` on a platform without `node:diagnostics_channel`. */
export const channels = {
  cache: channelOf('cache'),
  image: channelOf('image'),
  imageSpan: channelOf('image-span'),
  purge: channelOf('purge'),
  render: channelOf('render'),
}

/** Calls a function, and publishes the beginning and the end of its work. Without a subscriber, it only calls it. */
export async function observeWork<Event extends WorkEvent, Result>(
  channel: Channel<Event> | undefined,
  event: Event,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!channel?.hasSubscribers) return work()
  const began = performance.now()
  channel.publish(event)
  try {
    return await work()
  } catch (error) {
    event.error = error
    throw error
  } finally {
    event.seconds = (performance.now() - began) / 1000
    channel.publish(event)
  }
}
