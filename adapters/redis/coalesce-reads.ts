/**
 * Creates a function that shares one read among concurrent callers. A caller that arrives while a read is in flight waits
 * for the next one: a read that was sent before the call may return an older value.
 *
 * @example
 * const readStamp = coalesceReads(() => script(keys, args))
 */
export function coalesceReads<T>(read: () => Promise<T>): () => Promise<T> {
  let inFlight: Promise<T> | undefined
  let next: Promise<T> | undefined

  const start = (): Promise<T> => {
    next = undefined
    const reading = read()
    inFlight = reading
    const end = () => {
      if (inFlight === reading) inFlight = undefined
    }
    reading.then(end, end)
    return reading
  }
  return () => {
    if (!inFlight) return start()
    next ??= inFlight.then(start, start)
    return next
  }
}
