/**
 * The name of something at the provider, as it stands in a URL.
 *
 * @throws TypeError that names the option when it is missing or no such name.
 */
export function checkId(option: string, id: string): string {
  if (typeof id === 'string' && /^[\w.-]+$/.test(id) && !/^\.+$/.test(id)) return id
  throw new TypeError(`${option}: ${JSON.stringify(id)} is none; write it as the provider's dashboard shows it`)
}

/**
 * An API token.
 *
 * @throws TypeError when it is missing, or no header can bear it.
 */
export function checkToken(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  // The token itself is not named: errors end up in logs.
  throw new TypeError('token: missing, or no API token; those have no white space, also not at the end')
}
