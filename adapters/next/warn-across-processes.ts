import { warnInDevelopment } from '../../core/development.js'

/**
 * Warns in development, once for each name. `next dev` loads modules again with each change, and in several processes: what was
 * said is kept in the environment, which they inherit.
 */
export function warnAcrossProcesses(name: string, message: string): void {
  const variable = `SITEWRIGHT_WARNED_${name}`
  if (process.env[variable]) return
  process.env[variable] = '1'
  warnInDevelopment(message)
}
