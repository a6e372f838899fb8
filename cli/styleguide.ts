import { checkStyleguide } from './styleguide-check.js'
import { exportStyleguide } from './styleguide-export.js'

/** Runs `sitewright styleguide`, and returns the exit code. */
export async function styleguide(given: readonly string[]): Promise<number> {
  return given[0] === 'check' ? checkStyleguide(given.slice(1)) : exportStyleguide(given)
}
