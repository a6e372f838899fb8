import { isNextBuild } from '../../development.js'
import { type Log, logError, throttleLog } from '../../log.js'
import { errors } from '../errors.js'

/**
 * Creates the log of the proxy: one line a minute for each kind of failure, whichever image shows it. What is missing is logged at
 * once, and not when the first image fails: most likely the environment lacks it.
 *
 * @param missing Names of options.
 */
export function createProxyLog(write: Log = logError, missing: readonly string[] = []): Log {
  if (missing.length > 0 && !isNextBuild()) write(errors.notConfigured.error, { missing })
  return throttleLog(write, {
    // Anybody can name files that do not exist; of an original that fails within this process, each has a line.
    keyOf: (message, { status, reason, failure, source }) =>
      `${message}\n${status}\n${reason}\n${failure && status !== 404 ? source : ''}`,
  })
}
