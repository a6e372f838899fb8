/** Invalidates what bears one of the tags. What it throws or rejects with says that it did not. */
export type Invalidate = (tags: string[]) => unknown

/**
 * Invalidates the tags, and waits for it no longer than `timeout` milliseconds.
 *
 * @throws whatever `invalidate` throws, or an Error once the time is over.
 */
export async function invalidateWithin(timeout: number, invalidate: Invalidate, tags: readonly string[]) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`invalidate took longer than ${timeout} ms`)), timeout)
  })
  try {
    await Promise.race([invalidate([...tags]), late])
  } finally {
    clearTimeout(timer)
  }
}
