/** How long and how hard a purge is tried. */
export interface PurgeLimits {
  /**
   * Longest wait for a purge with all its calls and retries, in milliseconds. Default 8,000: less than the
   * revalidation endpoint's own limit, so that its log says what went wrong.
   */
  timeout?: number | undefined
  /** Longest wait for one call, in milliseconds. Default 3,000. */
  callTimeout?: number | undefined
  /** How often one call is tried, the first time included. Default 5. */
  attempts?: number | undefined
  /** How many calls are under way at once. Default 4. */
  concurrency?: number | undefined
}

// What setTimeout can count; it takes more for 1.
const longestTimeout = 2 ** 31 - 1

/**
 * The limits with their defaults.
 *
 * @throws TypeError that names the option when one is no such number.
 */
export function checkLimits(limits: PurgeLimits): { [Name in keyof PurgeLimits]-?: number } {
  const { timeout = 8000, callTimeout = 3000, attempts = 5, concurrency = 4 } = limits
  for (const [name, time] of Object.entries({ timeout, callTimeout })) {
    if (time > 0 && time <= longestTimeout) continue
    throw new TypeError(`${name}: '${time}' is no time; write milliseconds, such as 3000`)
  }
  for (const [name, count] of Object.entries({ attempts, concurrency })) {
    if (Number.isInteger(count) && count > 0) continue
    throw new TypeError(`${name}: '${count}' is no count; write a whole number, such as 4`)
  }
  return { timeout, callTimeout, attempts, concurrency }
}
