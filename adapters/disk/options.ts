import { optionError } from '../../core/option-error.js'

/**
 * Returns the option `directory`.
 *
 * @throws TypeError when it is not a path.
 */
export function checkDirectory(option: string, directory: unknown): string {
  if (typeof directory === 'string' && directory) return directory
  throw optionError(option, 'a path', directory, "such as '.cache/pages'")
}
