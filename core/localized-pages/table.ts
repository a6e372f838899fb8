import { decodePercent } from '../image/url.js'
import { optionError } from '../option-error.js'
import { checkBoolean, checkFunction, checkObject, type OptionChecks, oneOf, required } from '../options.js'
import { checkTimeout } from '../timeout.js'
import { checkLanguage, toSegments } from './localize.js'
import { canonicalLanguage } from './negotiate.js'
import type { RoutesOptions, TranslatedPaths } from './types.js'

// In a path of the table, `[slug]` is one segment, and `[...slug]` the rest.
const dynamic = /\[(\.\.\.)?\w+\]/g
const wellFormed = /^\/$|^(?=\/.)(?:\/(?:\[\w+\]|(?!\.\.?(?:\/|$))[^[\]/?#%\\]+))*(?:\/\[\.\.\.\w+\])?$/
/** The `language` of the rows that have the paths as the table writes them, before translation. */
const tableForm = ''
const likeLanguage = /^\/[a-z]{2}(?:[-_][a-z\d]+)*(?:\/|$)/i

/** The table of routes: every path in every language. */
export type Table = ReturnType<typeof createTable>

/** Where a URL leads. */
export type Located = ReturnType<Table['locate']>

/**
 * Creates the table.
 *
 * @throws TypeError that names the malformed option, or the paths that two routes have in common.
 */
export function createTable(options: RoutesOptions) {
  const { languages, default: fallback, prefix, prefixes = {}, detect = false, trailingSlash = false } = options
  oneOf(...languages)('default', fallback)
  const unprefixed = prefix === 'except-default' ? fallback : undefined
  const prefixOf = (language: string) => prefixes[language] ?? `/${language}`
  const starts = languages.map((language) => {
    const either = `${prefixOf(language)}|/${language}`.replace(/[^\w|-]/g, '\\$&').replace(/[-_]/g, '[-_]')
    return { language, start: new RegExp(`^(?:${either})(?=/|$)`, 'i') }
  })
  const rows = createRows(options)

  /**
   * Decodes a path and splits off its language: a prefix or a tag, in any letter case and with `_` or `-`. If the path
   * cannot be decoded, it returns `''`, which matches no path of the table.
   */
  const splitLanguage = (pathname: string, tag?: string) => {
    const { path, isDecoded } = decodePath(pathname)
    const found = tag ? undefined : starts.find(({ start }) => start.test(path))
    const rest = found ? path.replace(found.start, '') || '/' : path
    return { language: tag ?? found?.language ?? unprefixed, path: isDecoded ? rest : '' }
  }

  /** Returns a page in a language, or `undefined` if the language does not have the route or the slug does not fit. */
  const pageIn = (language: string, route: string, slug: string) => {
    const fill = (form: string) => rows.find((row) => row.route === route && row.language === form)?.fill(slug)
    const filled = fill(language)
    if (filled === undefined) return undefined
    const plain = encodePath((language === unprefixed ? '' : prefixOf(language)) + filled)
    // Next.js adds no slash after a segment with a dot either, which it takes for the name of a file.
    const path = trailingSlash ? plain.replace(/\/[^/.]+$/, '$&/') : plain
    return { language, route, slug: toSegments(fill(tableForm)), path, translations: { [language]: path } }
  }

  /**
   * Finds the page of a URL or path: first by the paths of its own language, then by the paths of the other languages.
   *
   * @param tag The language of the page, if the path is written as in the table, without a language.
   * @returns The `page`, without translations. `match` is its route, its slug and the language whose paths match;
   *   `undefined` if the table has no such path. `isOpen` is whether visitors are redirected from the path to their own language.
   */
  const locate = (url: string, tag?: string) => {
    const pathname = tag ? url : url.replace(/^https?:\/\/[^/?#]*|[?#].*/gis, '')
    const { language, path } = splitLanguage(pathname, tag)
    const isOpen = language === undefined || (detect && pathname === '/')
    for (const candidate of [language ?? fallback, ...languages]) {
      const row = rows.find((row) => row.language === (tag ? tableForm : candidate) && row.pattern.test(path))
      // With prefix: 'always', the catch-all route would match a path in an unknown language, such as `/fr`.
      if (!row || (language === undefined && likeLanguage.test(path) && row.route.startsWith('/[...'))) continue
      const slug = row.pattern.exec(path)?.slice(1).join('/') ?? ''
      const page = pageIn(language ?? candidate, row.route, slug)
      if (page) return { page, match: { route: row.route, language: candidate, slug }, isOpen }
    }
    const missing = { route: undefined, slug: toSegments(path), path: pathname, translations: {} }
    return { page: { language: language ?? fallback, ...missing }, isOpen }
  }

  for (const language of [...Object.keys(prefixes), ...languages]) {
    oneOf(...languages)('prefixes', language)
    if (/^(?:\/[\w-]+)+$/.test(prefixOf(language)) && splitLanguage(prefixOf(language)).language === language) continue
    throw optionError(`prefixes['${language}']`, "a language's own path, such as '/br'", prefixOf(language))
  }
  const clash = rows.find(({ language, path }) => language === unprefixed && splitLanguage(path).path !== path)
  if (clash) throw optionError('paths', 'no path that begins with a language', clash.path)
  return { locate, pageIn }
}

/** Returns the paths of all languages, and of the table itself, in the order in which they are tried. */
function createRows({ languages, paths = { '/[...slug]': {} } }: RoutesOptions) {
  const rows: ReturnType<typeof createRow>[] = []
  for (const [route, translated] of Object.entries<TranslatedPaths>({ '/': {}, ...paths })) {
    for (const language of Object.keys(translated)) oneOf(...languages)(`paths['${route}']`, language)
    for (const language of [tableForm, ...languages]) {
      const path: unknown = translated[language] ?? route
      if (path === false) continue
      const option = language ? `paths['${route}'].${language}` : 'paths'
      const names = String(route.match(dynamic) ?? '')
      if (typeof path !== 'string' || !wellFormed.test(path) || String(path.match(dynamic) ?? '') !== names) {
        throw optionError(option, `a path such as '/about'${names && `, with ${names}`}`, path)
      }
      const row = createRow(route, language, path)
      const sameRow = rows.find((earlier) => earlier.language === language && earlier.key === row.key)
      if (sameRow) throw optionError(option, `a path that '${sameRow.route}' does not have`, path)
      rows.push(row)
    }
  }
  return rows.sort((first, second) => (first.key > second.key ? -1 : 1))
}

/** Compiles a path of the table, in a language or in the table's own form, for matching and for writing. */
function createRow(route: string, language: string, path: string) {
  const segments = (_: string, isRest?: string) => (isRest ? '(.+)' : '([^/]+)')
  /**
   * The key is equal for two paths that match the same URLs. Any other character sorts after `(`, so that dynamic
   * segments are tried last.
   */
  const key = path.replace(/[^\w/[\]]/g, '\\$&').replace(/\[(\\\.)*\w+\]/g, segments)
  /** Matches decoded paths. Its groups are the values of the dynamic segments. */
  const pattern = new RegExp(`^${key}$`, 's')
  /** Puts a slug in place of the dynamic segments. Returns `undefined` if the slug does not fit. */
  const fill = (slug: string) => {
    const values = toSegments(slug)
    const filled = path.replace(dynamic, (_, isRest) => values.splice(0, isRest ? values.length : 1).join('/'))
    return values.length === 0 && pattern.test(filled) ? filled : undefined
  }
  return { route, language, path, key, pattern, fill }
}

/**
 * Decodes a path and drops empty segments. A segment stays as it is if it has a malformed escape, if it is `.` or `..`,
 * or if it has an encoded slash, which servers and sites would treat as a separator. `isDecoded` is then `false`.
 */
function decodePath(pathname: string): { path: string; isDecoded: boolean } {
  const segments = toSegments(pathname)
  const decoded = segments.map((segment) => {
    const text = decodePercent(segment)
    return text !== undefined && /[/\\\0]|^\.\.?$/.test(text) ? undefined : text
  })
  const path = `/${segments.map((segment, index) => decoded[index] ?? segment).join('/')}`
  return { path, isDecoded: !decoded.includes(undefined) }
}

/** Encodes the characters that RFC 3986, section 3.3, does not allow in a path. */
export function encodePath(path: string): string {
  return encodeURI(`/${toSegments(path).join('/')}`).replace(/[?#]/g, encodeURIComponent)
}

export const checks: OptionChecks<RoutesOptions> = {
  languages: required(checkLanguages),
  default: required(checkLanguage),
  prefix: oneOf('always', 'except-default'),
  prefixes: checkObject,
  paths: checkObject,
  translationsOf: checkFunction,
  detect: checkBoolean,
  trailingSlash: checkBoolean,
  timeout: checkTimeout,
  log: checkFunction,
}

function checkLanguages(option: string, value: unknown): unknown {
  const tags: unknown[] = Array.isArray(value) ? value : []
  const malformedTag = tags.find((tag, index) => canonicalLanguage(tag) !== tag || tags.indexOf(tag) < index)
  if (tags.length > 0 && malformedTag === undefined) return value
  const example = canonicalLanguage(malformedTag ?? '') || 'pt-BR'
  throw optionError(option, `canonical tags, each once, such as '${example}'`, malformedTag ?? value)
}
