/**
 * The path of a route: with a slash at the beginning and none at the end.
 *
 * @throws TypeError that names the option when it is no plain path.
 * @example parseRoutePath('prefix', '_image/') // '/_image'
 */
export function parseRoutePath(option: string, path: string): string {
  const plain = `/${path.replace(/^\/|\/$/g, '')}`
  if (!/^(?:\/[\w.~-]+)+$/.test(plain) || new URL(plain, 'http://site.invalid').pathname !== plain) {
    throw new TypeError(`${option}: '${path}' is no path of letters, digits, '-', '_'; write one such as '/api/images'`)
  }
  return plain
}
