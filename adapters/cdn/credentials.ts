import { secretError } from '../../core/option-error.js'

/**
 * Returns an id of the provider that can be part of a URL.
 *
 * @throws TypeError that names the option when it is missing or malformed.
 */
export function checkId(option: string, id: string): string {
  if (typeof id === 'string' && /^[\w.-]+$/.test(id) && !/^\.+$/.test(id)) return id
  // Not shown, since it may be the token in the wrong place.
  const got = id ? 'a malformed one' : 'none'
  throw secretError(option, "an id of letters, digits, '_', '.' and '-'", got, "copy it from the provider's dashboard")
}

/**
 * Returns an API token.
 *
 * @throws TypeError when it is missing, or no header can carry it.
 */
export function checkToken(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw secretError('token', 'an API token', token ? 'a malformed one' : 'none', 'check for white space at its end')
}
