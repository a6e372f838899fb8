import { checkString, optionError } from './option-error.js'

/** Whether a path is that of a route, or below it. */
export function isBelowRoute(pathname: string, route: string): boolean {
  return `${pathname}/`.startsWith(`${route}/`)
}

/**
 * Normalizes the path of a route: with a leading slash and no trailing one.
 *
 * @throws TypeError that names the option unless it is a plain path.
 * @example parseRoutePath('prefix', '_image/') // '/_image'
 */
export function parseRoutePath(option: string, value: unknown): string {
  const path = checkString(option, value)
  const plain = `/${path.replace(/^\/|\/$/g, '')}`
  if (!/^(?:\/[\w.~-]+)+$/.test(plain) || new URL(plain, 'http://site.invalid').pathname !== plain) {
    throw optionError(option, "a path of letters, digits, '-' and '_', such as '/api/images'", path)
  }
  return plain
}
