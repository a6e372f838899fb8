import { describeError } from '../log.js'
import { withTimeout } from '../timeout.js'
import { EndpointError } from './authorize.js'
import type { RevalidateOptions } from './options.js'

/** Is told of each purge that is done, and of those that are tried again. */
export interface PurgeEvents {
  onPurged?: ((tags: readonly string[]) => void) | undefined
  /** Receives the reason if the purge has failed again. */
  onRetried?(tags: readonly string[], failure?: string): void
}

// Maximum number of tags that are kept. With more, all pages are purged instead.
const maxKeptTags = 1_000
// In milliseconds. The delay doubles after each round.
const [firstDelay, maxDelay] = [1_000, 60_000]

/**
 * Creates the function that purges tags. It rejects if the purge fails, and keeps the tags: it tries again until the
 * purge succeeds, because most CMSs send a webhook only once. Each failed purge is tried by itself, so that tags that
 * always fail hold up no others.
 */
export function createPurge(options: RevalidateOptions, { onPurged, onRetried }: PurgeEvents = {}) {
  const { timeout = 10_000 } = options
  let kept: (readonly string[])[] = []
  let isRetrying = false

  const keep = (tags: readonly string[]) => {
    kept.push(tags)
    const all = kept.flat()
    if (all.length > maxKeptTags) kept = [toEverything(options, all)]
    if (!isRetrying) void retry()
  }
  const purge = async (tags: readonly string[]): Promise<void> => {
    try {
      await withTimeout(timeout, callInvalidate(options, tags))
      onPurged?.(tags)
    } catch (error) {
      // With another status, an adapter says that it would fail each time.
      if (!(error instanceof EndpointError) || error.status === 503) keep(tags)
      throw error
    }
  }
  const retry = async () => {
    isRetrying = true
    for (let delay = firstDelay; kept.length > 0; delay = Math.min(2 * delay, maxDelay)) {
      await pause(delay)
      for (const tags of kept.splice(0)) {
        await purge(tags).then(
          () => onRetried?.(tags),
          (error) => onRetried?.(tags, describeError(error)),
        )
      }
    }
    isRetrying = false
  }
  return purge
}

/** Returns the tags that purge all pages, and those of the tags that name an image or a path. */
function toEverything({ images }: RevalidateOptions, tags: readonly string[]): string[] {
  const isPlace = (tag: string) => tag.startsWith('/') || images?.tagOf(tag) === tag
  return [...new Set(['document', ...tags.filter(isPlace)])].slice(0, maxKeptTags)
}

/** Waits for a time in milliseconds. The process may exit in the meantime. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds) as { unref?: () => void } | number
    if (typeof timer === 'object') timer.unref?.() // a number in browsers and on workers
  })
}

/** Calls `invalidate` with a copy of the tags, because it may modify them. Also rejects if it throws synchronously. */
async function callInvalidate({ invalidate, images }: RevalidateOptions, tags: readonly string[]): Promise<unknown> {
  // Images are purged before a CDN, which would otherwise fetch the old images again.
  await images?.invalidate(tags.filter((tag) => images.tagOf(tag) === tag))
  return invalidate([...tags])
}
