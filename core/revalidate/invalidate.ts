import { withTimeout } from '../timeout.js'

/** Invalidates what bears one of the tags. What it throws or rejects with says that it did not. */
export type Invalidate = (tags: string[]) => unknown

/**
 * Invalidates the tags, and waits for it no longer than `timeout` milliseconds.
 *
 * @throws whatever `invalidate` throws, or TimeoutError once the time is over.
 */
export async function invalidateWithin(timeout: number, invalidate: Invalidate, tags: readonly string[]) {
  await withTimeout(timeout, (async () => invalidate([...tags]))())
}
