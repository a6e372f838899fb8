import { TimeoutError } from '../timeout.js'

// The time of a visitor with a slower connection does not count.
const minBytesPerSecond = 16 * 1024

/** Measures how long a body keeps its reader waiting. */
export interface BodyPace {
  /** The reader waits for the service from now on. */
  wait(): void
  /** Bytes have arrived. Returns an error when the body is too slow. */
  receive(bytes: number): TimeoutError | undefined
}

/**
 * Creates the measure of one body: all waits together may take `timeout`, and a second for each 16 KiB that has arrived. A
 * limit of each wait alone would let a service that sends one byte every now and then hold a connection for days.
 *
 * @param timeout Milliseconds.
 */
export function createBodyPace(timeout: number): BodyPace {
  let waited = 0
  let since = performance.now()
  let received = 0
  return {
    wait() {
      since = performance.now()
    },
    receive(bytes) {
      const now = performance.now()
      waited += now - since
      since = now
      received += bytes
      if (waited <= timeout + (received / minBytesPerSecond) * 1000) return undefined
      return new TimeoutError(
        `response body: expected ${minBytesPerSecond} bytes a second, got ${received} bytes in ${Math.round(waited)} ms`,
      )
    },
  }
}
