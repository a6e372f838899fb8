import { parseHttpDate } from './dates.js'

/** Directives by name in lower case. `''` stands for a malformed value. */
export type Directives = ReadonlyMap<string, string | true>

const noDirectives: Directives = new Map()
// RFC 9110, sections 5.6.2 and 5.6.4.
const directive = /^([\w!#$%&'*+.^`|~-]+)(?:=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)"))?$/
const leadingName = /^[\w-]+/

/**
 * Parses a `Cache-Control` field (RFC 9111, section 5.2). If a directive is repeated, the first one counts, except that
 * `no-cache` and `private` without a list of fields override those with a list. A malformed directive keeps its name
 * with the value `''`, so a malformed `max-age` means stale, and `no-store;` still forbids storing.
 *
 * @example parseCacheControl('max-age=60, extension="a, b"') // Map { 'max-age' => '60', 'extension' => 'a, b' }
 */
export function parseCacheControl(field: string | null): Directives {
  if (!field) return noDirectives
  const directives = new Map<string, string | true>()
  for (const text of splitList(field)) {
    const [, token, bare, quoted] = directive.exec(text) ?? []
    const name = (token ?? leadingName.exec(text)?.[0])?.toLowerCase()
    if (!name) continue
    const value = token === undefined ? '' : (bare ?? quoted?.replace(/\\(.)/g, '$1') ?? true)
    const earlier = directives.get(name)
    if (name === 'no-cache' || name === 'private') directives.set(name, joinFields(earlier, value))
    else if (earlier === undefined) directives.set(name, value)
  }
  return directives
}

/** Splits a list at the commas outside of quoted strings. A quote that is never closed is an ordinary character. */
function* splitList(field: string): Generator<string> {
  let start = 0
  let isQuoted = false
  // Whether a quoted string may still be closed. If one search finds no closing quote, later searches fail, too.
  let canBeClosed = true
  for (let at = 0; at < field.length; at++) {
    const character = field[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"' && isQuoted) isQuoted = false
    else if (character === '"' && canBeClosed) canBeClosed = isQuoted = isClosed(field, at)
    else if (character === ',' && !isQuoted) {
      yield field.slice(start, at).trim()
      start = at + 1
    }
  }
  yield field.slice(start).trim()
}

/** Whether the quoted string that begins at a quote is closed (RFC 9110, section 5.6.4). */
function isClosed(field: string, quote: number): boolean {
  for (let at = quote + 1; at < field.length; at++) {
    if (field[at] === '"') return true
    if (field[at] === '\\') at++
  }
  return false
}

function joinFields(earlier: string | true | undefined, value: string | true): string | true {
  if (earlier === true || value === true || value === '') return true
  return earlier === undefined ? value : `${earlier},${value}`
}

const key = /[a-z*][a-z0-9_.*-]*/y
const bareItem = /-?\d{1,15}(?:\.\d{1,3})?|"(?:[ !#-[\]-~]|\\["\\])*"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|\?[01]|:[\w+/=]*:/y
const parameters =
  /(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:-?\d{1,15}(?:\.\d{1,3})?|"(?:[ !#-[\]-~]|\\["\\])*"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|\?[01]|:[\w+/=]*:))?)*/y
const comma = /[ \t]*,[ \t]*/y

/**
 * Parses a targeted field such as `CDN-Cache-Control`: a dictionary of structured fields (RFC 9213, section 2.1; RFC
 * 9651, section 3.2). Returns `undefined` for an empty or malformed field, because such a field counts as absent.
 *
 * @example parseTargeted('max-age=60, no-cache') // Map { 'max-age' => '60', 'no-cache' => true }
 * @example parseTargeted('max-age=60, &&') // undefined
 */
export function parseTargeted(field: string | null): Directives | undefined {
  const text = field?.trim()
  if (!text) return undefined
  const directives = new Map<string, string | true>()
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    at += match?.length ?? 0
    return match
  }
  for (;;) {
    const name = take(key)
    if (name === undefined) return undefined
    const hasValue = text[at] === '='
    if (hasValue) at++
    const value = hasValue ? take(bareItem) : true
    if (value === undefined) return undefined
    take(parameters)
    if (value === '?0') directives.delete(name)
    else directives.set(name, value === '?1' ? true : readItem(name, value))
    if (at === text.length) return directives
    if (take(comma) === undefined || at === text.length) return undefined
  }
}

function readItem(name: string, value: string | true): string | true {
  if (value === true) return true
  if (value.startsWith('"')) {
    // A quoted number has the wrong type and does not count.
    const isList = name === 'no-cache' || name === 'private'
    return isList ? value.slice(1, -1).replace(/\\(.)/g, '$1') || true : ''
  }
  return value
}

/** The largest lifetime or age, in seconds. Larger values are reduced to this one (RFC 9111, section 1.2.2). */
export const maxSeconds = 2 ** 31

/**
 * Returns the seconds of a directive: `undefined` if it is absent, 0 if it is malformed, because invalid freshness
 * information counts as stale (RFC 9111, section 4.2.1).
 */
export function secondsOf(directives: Directives, name: string): number | undefined {
  const value = directives.get(name)
  if (value === undefined) return undefined
  return value !== true && /^\d+$/.test(value) ? Math.min(Number(value), maxSeconds) : 0
}

/**
 * Computes the age that a response had when its head arrived, in seconds: `corrected_initial_age` of RFC 9111, section
 * 4.2.3.
 *
 * @param given.now Milliseconds since 1970.
 * @param given.delay Seconds from the request to the head.
 * @example initialAgeOf({ headers: new Headers({ Age: '30' }), now: Date.now(), delay: 2 }) // 32
 */
export function initialAgeOf({ headers, now, delay }: { headers: Headers; now: number; delay: number }): number {
  const date = headers.get('date')
  const sent = date === null ? now : (parseHttpDate(date, now) ?? now)
  // HTTP dates have whole seconds only, so a difference below one second counts as 0.
  const apparent = Math.max(0, Math.floor((now - sent) / 1000))
  // In a list, the first member counts; an invalid value is ignored (RFC 9111, section 5.1).
  const [first = ''] = headers.get('age')?.split(',', 1) ?? []
  const age = /^\s*\d+\s*$/.test(first) ? Math.min(Number(first), maxSeconds) : 0
  return Math.min(Math.max(apparent, age + delay), maxSeconds)
}

/** Returns the fields that `no-cache="a, b"` or `private="a"` names, in lower case. The list may be empty. */
export function fieldsOf(directives: Directives, name: string): readonly string[] {
  const value = directives.get(name)
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((field) => field.trim().toLowerCase())
    .filter(Boolean)
}

/** The `Cache-Control` of a request (RFC 9111, section 5.2.1). Times are in seconds. */
export interface RequestDirectives {
  readonly noCache: boolean
  readonly noStore: boolean
  readonly onlyIfCached: boolean
  readonly maxAge?: number | undefined
  readonly minFresh?: number | undefined
  readonly maxStale?: number | undefined
}

/** The result for a request without directives. */
export const noRequestDirectives: RequestDirectives = { noCache: false, noStore: false, onlyIfCached: false }

/**
 * Parses the `Cache-Control` of a request or, in its absence, `Pragma: no-cache` (RFC 9111, section 5.4).
 *
 * @param honor Whether clients may force a new render. If not, `no-cache`, `no-store`, `max-age` and `min-fresh` are
 *   ignored.
 */
export function parseRequestDirectives(headers: Pick<Headers, 'get'>, honor: boolean): RequestDirectives {
  const field = headers.get('cache-control')
  if (field === null) {
    return honor && /(?:^|,)\s*no-cache\s*(?:,|$)/i.test(headers.get('pragma') ?? '')
      ? { ...noRequestDirectives, noCache: true }
      : noRequestDirectives
  }
  if (field.length > 1000) return noRequestDirectives // real fields are shorter
  const directives = parseCacheControl(field)
  const maxStale = directives.get('max-stale') === true ? maxSeconds : secondsOf(directives, 'max-stale')
  return {
    noCache: honor && directives.has('no-cache'),
    noStore: honor && directives.has('no-store'),
    onlyIfCached: directives.has('only-if-cached'),
    maxAge: honor ? secondsOf(directives, 'max-age') : undefined,
    minFresh: honor ? secondsOf(directives, 'min-fresh') : undefined,
    maxStale,
  }
}
