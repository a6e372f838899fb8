import { usageError } from './arguments.js'
import { checkStyleguide } from './styleguide-check.js'

/** Runs `sitewright styleguide`, and returns the exit code. */
export async function styleguide([action = 'nothing', ...given]: readonly string[]): Promise<number> {
  if (action === 'check') return checkStyleguide(given)
  throw usageError(`styleguide: expected check, got '${action}'`)
}
