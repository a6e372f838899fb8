/**
 * Runs a read or a write of so many bytes as soon as there is room; `undefined` when there is none within so many milliseconds.
 */
export type TransferBudget = <T>(bytes: number, timeout: number, transfer: () => Promise<T>) => Promise<T | undefined>

export interface TransferBudgetOptions {
  /** Bytes that are on their way at the same time, when transfers are fast. */
  max: number
  /** When they are slow. Default: `max`. */
  min?: number | undefined
}

// Milliseconds. What else goes the same way waits for so long at most, as long as the minimum has its way.
const slowTransfer = 20

/**
 * Creates a bound for the bytes that are on their way at the same time. They wait in the order in which they came; one that
 * takes more than all runs alone. The bound is halved when a transfer is slow, and grows by what was fast, as the window of TCP does
 * (RFC 5681, section 3.1).
 */
export function createTransferBudget({ max, min = max }: TransferBudgetOptions): TransferBudget {
  let used = 0
  let bound = min
  const waiting = new Set<() => boolean>()

  const take = (bytes: number): boolean => {
    if (used > 0 && used + bytes > bound) return false
    used += bytes
    return true
  }
  const waitFor = (bytes: number, timeout: number) =>
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
  const release = (bytes: number, duration: number) => {
    used -= bytes
    if (duration > slowTransfer) bound = Math.max(min, bound / 2)
    else if (duration < slowTransfer / 2) bound = Math.min(max, bound + bytes)
    for (const start of waiting) if (!start()) return
  }

  return async (bytes, timeout, transfer) => {
    const hasRoom = (waiting.size === 0 && take(bytes)) || (await waitFor(bytes, timeout))
    if (!hasRoom) return undefined
    const began = performance.now()
    try {
      return await transfer()
    } finally {
      release(bytes, performance.now() - began)
    }
  }
}
