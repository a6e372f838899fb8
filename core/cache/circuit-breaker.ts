// Milliseconds. Fast failures delay nobody: one broken entry must not disable reads, nor a full disk hide what is stored.
const slowFailure = 100
// After a short stall all requests would pass the store by for a second. Later ones say that it lasts.
const firstPause = 125
const longestPause = 1_000

/**
 * Keeps requests from waiting, one after the other, for something that does not answer. After an attempt that failed slowly
 * it is skipped for a while, up to a second; then one request tries, and the others go on skipping it until that has succeeded.
 */
export interface CircuitBreaker {
  /** Whether to skip the attempt. */
  isOpen(): boolean
  /**
   * Records that an attempt waits for an answer. After a pause, that attempt decides, and others are skipped until it has. One that
   * is answered at once waits for nothing: it delays nobody, and says nothing about those that wait.
   */
  onWait(): void
  /** Records that an attempt succeeded. */
  onSuccess(): void
  /** Records that an attempt failed, and when it began by `performance.now()`. */
  onFailure(began: number): void
}

/**
 * Creates a circuit breaker.
 *
 * @param timeout Longest time of an attempt in milliseconds.
 */
export function createCircuitBreaker(timeout: number): CircuitBreaker {
  let openUntil = 0
  let openedAt = Number.NEGATIVE_INFINITY
  let pause = firstPause
  return {
    isOpen: () => openUntil > 0 && performance.now() < openUntil,
    onWait() {
      if (openUntil > 0) openUntil = performance.now() + Math.max(longestPause, timeout)
    },
    onSuccess() {
      openUntil = 0
      pause = firstPause
    },
    onFailure(began) {
      const now = performance.now()
      const isSlow = now - began > Math.min(slowFailure, timeout / 2)
      if (!isSlow) openUntil = 0
      // Of many attempts at the same time, the first failure counts.
      if (!isSlow || began < openedAt) return
      openedAt = now
      openUntil = now + pause
      pause = Math.min(longestPause, pause * 2)
    },
  }
}
