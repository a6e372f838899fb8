import type { StyleguideState } from '../core/styleguide/index.js'
import { CliError } from './arguments.js'
import { writeWhole } from './files.js'

/**
 * Keeps the state of a styleguide in a file, for the page `What changed`. Belongs into the repository, so that all who
 * work on the site see the same changes.
 *
 * @throws CliError if the styleguide has no `index.json`.
 */
export async function keepState(file: string, styleguide: URL): Promise<void> {
  const url = new URL(`${styleguide.pathname.replace(/\/$/, '')}/index.json`, styleguide)
  const response = await fetch(url)
  if (!response.ok) throw new CliError(`state: ${url.href} answers ${response.status}`)
  const state: StyleguideState = { date: new Date().toISOString().slice(0, 10), index: await response.json() }
  writeWhole(file, `${JSON.stringify(state, null, 2)}\n`, true)
}
