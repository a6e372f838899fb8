import { exportStyleguide } from './styleguide-export.js'

/** Runs `sitewright styleguide`, and returns the exit code. */
export async function styleguide(given: readonly string[]): Promise<number> {
  return exportStyleguide(given)
}
