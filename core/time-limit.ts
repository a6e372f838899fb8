/** Something took longer than it may. */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

/**
 * Waits for a promise no longer than `milliseconds`, and no longer than a signal lets.
 *
 * @throws TookTooLong, the reason of the signal, or what the promise rejects with.
 */
export function within<T>(milliseconds: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const leave = () => {
      settle()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      settle()
      reject(new TookTooLong(`not done within ${milliseconds} ms`))
    }, milliseconds)
    if (signal?.aborted) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    work.then(
      (value) => {
        settle()
        resolve(value)
      },
      (reason) => {
        settle()
        reject(reason)
      },
    )
  })
}
