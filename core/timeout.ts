// What setTimeout can count; it takes more for 1.
const longestTimeout = 2 ** 31 - 1

/**
 * The time limit, in milliseconds.
 *
 * @throws TypeError when it is none that a timer can count.
 */
export function checkTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= longestTimeout) return timeout
  throw new TypeError(`timeout: '${timeout}' is no time; write milliseconds, such as 10_000`)
}
