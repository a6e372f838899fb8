/**
 * Creates a function that reads for all who ask at the same time. Whoever asks while a read is under way waits for the
 * next one: a read that was sent before the question may know less than it should.
 *
 * @example
 * const readStamp = createBatch(() => script(keys, args))
 */
export function createBatch<T>(read: () => Promise<T>): () => Promise<T> {
  let sent: Promise<T> | undefined
  let next: Promise<T> | undefined

  const send = (): Promise<T> => {
    next = undefined
    const reading = read()
    sent = reading
    const end = () => {
      if (sent === reading) sent = undefined
    }
    reading.then(end, end)
    return reading
  }
  return () => {
    if (!sent) return send()
    next ??= sent.then(send, send)
    return next
  }
}
