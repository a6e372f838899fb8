import { warnOnce } from '../development.js'
import { handlerFields } from '../http/conditional.js'
import { cookiesOf, languageCookie } from '../http/cookies.js'
import { hopByHopFields } from '../http/headers.js'
import { matchNames } from '../options.js'
import { trackingCookies } from '../tracking-cookies.js'
import type { Narrowed } from './key.js'

// Handlers do not need these fields: the cache answers conditions and ranges, and the other fields concern one
// connection.
const otherFields =
  'accept-encoding cache-control content-length content-type expect host if-modified-since if-none-match if-range pragma'
const unneededFields = new Set([...hopByHopFields, ...handlerFields, ...otherFields.split(' ')])

/**
 * Creates the functions that warn if a handler reads a field that it does not receive, although a visitor has sent it:
 * the visitor whose request caused the render, or a visitor who gets the stored page later. Warns once for each field.
 *
 * @param declared Names of fields that a handler may also read on pages that do not depend on them.
 */
export function createFieldWarning(declared: readonly string[]) {
  const warn = warnOnce()
  const declaredNames = new Set(declared.map((name) => name.toLowerCase()))
  // The fields that handlers have read: the names in lower case, and the names as the handler spells them.
  const readFields = new Map<string, string>()
  return {
    /** Notes which fields a handler reads. */
    watch({ headers }: Request): void {
      const [get, has] = [headers.get.bind(headers), headers.has.bind(headers)]
      const note = (field: string): string => {
        const name = String(field).toLowerCase()
        if (!unneededFields.has(name) && !declaredNames.has(name)) readFields.set(name, field)
        return field
      }
      headers.get = (name) => get(note(name))
      headers.has = (name) => has(note(name))
    },
    /** Warns of the fields of a request that handlers have read but do not receive. */
    check({ headers }: Pick<Request, 'headers'>, pairs: Narrowed['pairs']): void {
      const received = new Map(pairs)
      for (const [name, field] of readFields) {
        if (!isMissed(name, received.get(name), headers)) continue
        const advice =
          name === 'cookie'
            ? "cookies: ['name'] if pages depend on a cookie, or bypass: withCookies('name') if it makes them the visitor's own"
            : `fields: { '${name}': true } if pages depend on it, or return true from bypass for such requests`
        warn(() => `Response cache: the handler reads ${field}, which shared pages do not get. Write ${advice}`, name)
      }
    },
  }
}

const isHarmless = matchNames('cookies', [...trackingCookies, languageCookie])

/**
 * Whether a handler that reads a field does not receive the visitor's value, because the field or cookie is not
 * declared.
 */
function isMissed(name: string, received: string | undefined, headers: Headers): boolean {
  if (name !== 'cookie') return received === undefined && headers.has(name)
  const declared = received?.split('; ') ?? []
  return cookiesOf(headers).some(([cookie, pair]) => !isHarmless(cookie) && !declared.includes(pair))
}
