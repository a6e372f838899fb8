import { optionError } from '../option-error.js'

/**
 * Checks the option `enabled` of the styleguide. `'true'` of the environment, or 1, would leave it off without a word, and whatever
 * else counts as true would publish it.
 *
 * @throws TypeError unless it is `true` or `false`.
 */
export function checkEnabled(enabled: unknown): void {
  if (typeof enabled === 'boolean') return
  throw optionError('enabled', 'true or false', enabled, "such as process.env.STYLEGUIDE_ENABLED === 'true'")
}
