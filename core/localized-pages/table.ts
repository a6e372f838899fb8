import { optionError } from '../option-error.js'
import { normalizePath } from '../tags.js'
import { canonicalLanguage, lookUpLanguage } from './negotiate.js'
import type { LocalizedPage, RoutesOptions, SlugPage } from './types.js'

// In a path of the table, `[slug]` is one segment, and `[...slug]` the rest.
const dynamic = /\[(\.\.\.)?\w+\]/g
const wellFormed = /^\/$|^(?=\/.)(?:\/(?:\[\w+\]|(?!\.\.?(?:\/|$))[^[\]/?#%\\]+))*(?:\/\[\.\.\.\w+\])?$/
// They sort after all characters of URLs, so that `/news/archive` is tried before `/news/[slug]`, and that before `/[...slug]`.
const oneSegment = '\ufffe'
const manySegments = '\uffff'

/** A path of the table in a language, or in the table's own form. */
interface Row {
  route: string
  language: string | undefined
  path: string
  /** Equal for two paths with the same URLs. */
  key: string
  pattern: RegExp
}

/** Where a URL leads. */
export interface Located {
  page: LocalizedPage
  /** Route and slug, and the language in whose paths they were found. */
  found?: SlugPage | undefined
  isCanonical?: boolean
}

/** The table of routes: every path in every language. */
export type Table = ReturnType<typeof createTable>

/**
 * Creates the table.
 *
 * @throws TypeError that names the malformed option, or the paths that two routes have in common.
 */
export function createTable(options: RoutesOptions) {
  const { languages, default: fallback, prefix } = options
  checkLanguages(options)
  const prefixes: Readonly<Record<string, string>> = readPrefixes(options)
  const unprefixed = prefix === 'except-default' ? fallback : undefined
  const rows = createRows(options)
  const rowOf = (route: string, language?: string) =>
    rows.find((row) => row.route === route && row.language === language)

  /** Splits the language off a decoded path: a prefix or a tag, in any letter case and with `_` for `-`. */
  const splitLanguage = (path: string) => {
    const given = `${foldCase(path)}/`
    const isStart = (start = '') => given.startsWith(`${foldCase(start)}/`)
    const language = languages.find((each) => isStart(prefixes[each])) ?? languages.find((each) => isStart(`/${each}`))
    const start = language && isStart(prefixes[language]) ? prefixes[language] : `/${language}`
    return language ? { language, path: path.slice(start?.length) || '/' } : { language: unprefixed, path }
  }

  /** Finds a decoded path without language among those of a language, or in the table's own form. */
  const find = (path: string, language: string, isInternal = false): SlugPage | undefined => {
    const inLanguage = isInternal ? undefined : language
    const row = rows.find((each) => each.language === inLanguage && each.pattern.test(path))
    return row && { route: row.route, language, slug: row.pattern.exec(path)?.slice(1).join('/') ?? '' }
  }

  /** Returns a page in a language; `undefined` if the language does not have the route, or if the slug does not fit. */
  const pageIn = (language: string, { route, slug }: SlugPage): LocalizedPage | undefined => {
    const filled = fillPath(rowOf(route, language), slug)
    const internal = fillPath(rowOf(route), slug)
    if (filled === undefined || internal === undefined) return undefined
    const path = encodePath((language === unprefixed ? '' : (prefixes[language] ?? '')) + filled)
    const canonical = path.replace(/(?<=.)\/$/, '')
    return { language, route, slug: toSegments(internal), path: canonical, translations: { [language]: canonical } }
  }

  /** Finds the page of a path, as it is in a URL: by the paths of its language, else by those of the others. */
  const locate = (pathname: string): Located => {
    const decoded = decodePath(pathname)
    const { language, path } = splitLanguage(decoded ?? '')
    // With prefix: 'always', the catch-all route would take any language for a page.
    const isForeign = language === undefined && /^\/[a-z]{2}(?:[-_][a-z\d]+)*(?:\/|$)/i.test(path)
    for (const each of decoded ? [language ?? fallback, ...languages] : []) {
      const found = find(path, each)
      const page = found && pageIn(language ?? each, found)
      if (!page || (isForeign && found.route.startsWith('/[...'))) continue
      return { page, found, isCanonical: each === page.language && normalizePath(pathname) === page.path }
    }
    const foreign = path === decoded ? lookUpLanguage([path.split('/')[1] ?? ''], languages) : undefined
    const nearest = foreign ?? language ?? fallback
    return { page: { language: nearest, route: undefined, slug: toSegments(path), path: pathname, translations: {} } }
  }

  const clash = rows.find(
    (row) => unprefixed && row.language === unprefixed && splitLanguage(row.path).path !== row.path,
  )
  if (clash) throw optionError('paths', 'no path that begins with a language', clash.path)
  return { languages, fallback, find, pageIn, locate, splitLanguage }
}

function readPrefixes({ languages, prefixes = {} }: RoutesOptions): Record<string, string> {
  const all = Object.fromEntries(languages.map((language) => [language, `/${language}`]))
  for (const [language, start = ''] of Object.entries(prefixes)) {
    const isShared = Object.values({ ...all, [language]: '' }).includes(start)
    if (!languages.includes(language) || !/^(?:\/[\w-]+)+$/.test(start) || isShared) {
      throw optionError(`prefixes['${language}']`, "a language's own path, such as '/br'", start)
    }
    all[language] = start
  }
  return all
}

/** Returns the paths of all languages, and of the table itself, in the order in which they are tried. */
function createRows({ languages, paths = { '/[...slug]': {} } }: RoutesOptions): Row[] {
  const rows: Row[] = []
  for (const [route, translated] of Object.entries({ '/': {} as (typeof paths)[string], ...paths })) {
    const unknown = Object.keys(translated).find((each) => !languages.includes(each))
    if (unknown !== undefined) throw optionError(`paths['${route}']`, `one of the languages ${languages}`, unknown)
    for (const language of [undefined, ...languages]) {
      const path: unknown = (language && translated[language]) ?? route
      if (path === false) continue
      const option = language ? `paths['${route}'].${language}` : 'paths'
      const names = String(route.match(dynamic) ?? '')
      if (typeof path !== 'string' || !wellFormed.test(path) || String(path.match(dynamic) ?? '') !== names) {
        throw optionError(option, `a path such as '/about'${names && `, with ${names}`}`, path)
      }
      const key = path.replace(dynamic, (_, isRest) => (isRest ? manySegments : oneSegment))
      const other = rows.find((row) => row.language === language && row.key === key)
      if (other) throw optionError(option, `a path that '${other.route}' does not have`, path)
      rows.push({ route, language, path, key, pattern: compileKey(key) })
    }
  }
  return rows.sort((one, other) => (one.key < other.key ? -1 : 1))
}

/** Returns a regular expression for decoded paths, whose groups are the values of the dynamic segments. */
function compileKey(key: string): RegExp {
  const escaped = key.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(oneSegment, '([^/]+)').replaceAll(manySegments, '(.+)')}$`, 's')
}

/** Puts a slug in place of the dynamic segments. Returns `undefined` if it does not fit. */
function fillPath(row: Row | undefined, slug: string): string | undefined {
  const values = toSegments(slug)
  const filled = row?.path.replace(dynamic, (_, isRest) => values.splice(0, isRest ? values.length : 1).join('/'))
  return filled !== undefined && values.length === 0 && row?.pattern.test(filled) ? filled : undefined
}

/**
 * Decodes a path, without empty segments. Returns `undefined` for a malformed escape, for `.` and `..`, and for an encoded slash,
 * which servers and sites would take for one of the path.
 */
export function decodePath(path: string): string | undefined {
  try {
    const segments = toSegments(path).map(decodeURIComponent)
    return segments.some((each) => /[/\\\0]|^\.\.?$/.test(each)) ? undefined : `/${segments.join('/')}`
  } catch {
    return undefined
  }
}

/** Encodes what RFC 3986 does not allow in a path (section 3.3). */
function encodePath(path: string): string {
  return encodeURIComponent(path).replace(/%(?:2[46BCF]|3[ABD]|40)/g, decodeURIComponent)
}

function toSegments(path: string): string[] {
  return path.split('/').filter(Boolean)
}

function foldCase(path: string): string {
  return path.toLowerCase().replaceAll('_', '-')
}

function checkLanguages({ languages, default: fallback }: RoutesOptions): void {
  const tags = Array.isArray(languages) ? languages : []
  const wrong = tags.find((tag, index) => canonicalLanguage(tag) !== tag || tags.indexOf(tag) < index)
  if (tags.length === 0 || wrong !== undefined) {
    const example = canonicalLanguage(wrong ?? '') || 'pt-BR'
    throw optionError('languages', `canonical tags, each once, such as '${example}'`, wrong ?? languages)
  }
  if (!tags.includes(fallback)) throw optionError('default', `one of the languages ${languages}`, fallback)
}
