/** Runs a read or a write of so many bytes as soon as there is room; `undefined` when there is none in time. */
export type TransferBudget = <T>(bytes: number, transfer: () => Promise<T>) => Promise<T | undefined>

/**
 * Creates a bound for the bytes that are on their way at the same time. They wait in the order in which they came; one that
 * takes more than all runs alone.
 *
 * @param timeout Longest wait, in milliseconds.
 */
export function createTransferBudget(maxBytes: number, timeout: number): TransferBudget {
  let used = 0
  const waiting = new Set<() => boolean>()

  const take = (bytes: number): boolean => {
    if (used > 0 && used + bytes > maxBytes) return false
    used += bytes
    return true
  }
  const waitFor = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const start = () => {
        if (!take(bytes)) return false
        settle(true)
        return true
      }
      const settle = (hasRoom: boolean) => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve(hasRoom)
      }
      const timer = setTimeout(settle, timeout, false)
      waiting.add(start)
    })
  const release = (bytes: number) => {
    used -= bytes
    for (const start of waiting) if (!start()) return
  }

  return async (bytes, transfer) => {
    const hasRoom = (waiting.size === 0 && take(bytes)) || (await waitFor(bytes))
    if (!hasRoom) return undefined
    try {
      return await transfer()
    } finally {
      release(bytes)
    }
  }
}
