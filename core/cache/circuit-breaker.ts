// Milliseconds. Fast failures delay nobody: one broken entry must not disable reads, nor a full disk hide what is stored.
const slowFailure = 100
const pause = 1_000

/**
 * Keeps requests from waiting, one after the other, for something that does not answer. After an attempt that failed slowly
 * it is skipped for a second; then one request tries, and the others go on skipping it until that has succeeded.
 */
export interface CircuitBreaker {
  /** Whether to skip the attempt. Returns `false` to one caller per pause, whose attempt decides. */
  isOpen(): boolean
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
  return {
    isOpen() {
      if (openUntil === 0) return false
      const now = performance.now()
      if (now < openUntil) return true
      openUntil = now + Math.max(pause, timeout)
      return false
    },
    onSuccess() {
      openUntil = 0
    },
    onFailure(began) {
      const now = performance.now()
      openUntil = now - began > Math.min(slowFailure, timeout / 2) ? now + pause : 0
    },
  }
}
