import { optionError } from '../option-error.js'
import { oneOf } from '../options.js'
import { canonicalLanguage } from './negotiate.js'
import type { LocalizedPage, RoutesOptions, SlugPage, TranslatedPaths } from './types.js'

// In a path of the table, `[slug]` is one segment, and `[...slug]` the rest.
const dynamic = /\[(\.\.\.)?\w+\]/g
const wellFormed = /^\/$|^(?=\/.)(?:\/(?:\[\w+\]|(?!\.\.?(?:\/|$))[^[\]/?#%\\]+))*(?:\/\[\.\.\.\w+\])?$/
// They sort after all characters of URLs, so that `/news/archive` is tried before `/news/[slug]`, and that before `/[...slug]`.
const oneSegment = '\ufffe'
const manySegments = '\uffff'
/** In place of a language, for the paths as the table has them. */
const ownForm = ''
const likeLanguage = /^\/[a-z]{2}(?:[-_][a-z\d]+)*(?:\/|$)/i

/** A path of the table in a language, or in the table's own form. */
interface Row extends Pattern {
  route: string
  language: string
  path: string
}

/** Where a URL leads. */
export interface Located {
  page: LocalizedPage
  /** Route and slug, and the language in whose paths they were found. */
  found?: SlugPage
}

/** The table of routes: every path in every language. */
export type Table = ReturnType<typeof createTable>

/**
 * Creates the table.
 *
 * @throws TypeError that names the malformed option, or the paths that two routes have in common.
 */
export function createTable(options: RoutesOptions) {
  const { languages, default: fallback, prefix, prefixes = {} } = options
  checkLanguages(languages)
  oneOf(...languages)('default', fallback)
  const unprefixed = prefix === 'except-default' ? fallback : undefined
  const named = (language: string) => prefixes[language] ?? `/${language}`
  const starts = [...languages.map((each) => [named(each), each]), ...languages.map((each) => [`/${each}`, each])]
  const rows = createRows(options)

  /** Decodes a path, and splits its language off: a prefix or a tag, in any letter case and with `_` for `-`. */
  const splitLanguage = (pathname: string) => {
    const path = decodePath(pathname)
    const folded = foldCase(`${path}/`)
    const [start = '', language] = starts.find(([each = '']) => folded.startsWith(`${foldCase(each)}/`)) ?? []
    return language ? { language, path: path.slice(start.length) || '/' } : { language: unprefixed, path }
  }

  /** Returns a page in a language; `undefined` if the language does not have the route, or if the slug does not fit. */
  const pageIn = (language: string, { route, slug }: SlugPage): LocalizedPage | undefined => {
    const fill = (each: string) => rows.find((row) => row.route === route && row.language === each)?.fill(slug)
    const filled = fill(language)
    if (filled === undefined) return undefined
    const path = encodePath((language === unprefixed ? '' : named(language)) + filled)
    return { language, route, slug: toSegments(fill(ownForm)), path, translations: { [language]: path } }
  }

  /**
   * Finds the page of a path, as it is in a URL: by the paths of its language, else by those of the others.
   *
   * @param given The language of a path that has none and is in the table's own form.
   */
  const locate = (pathname: string, given?: string): Located => {
    const { language, path } = given ? { language: given, path: decodePath(pathname) } : splitLanguage(pathname)
    for (const each of given ? [ownForm] : [language ?? fallback, ...languages]) {
      const row = rows.find((one) => one.language === each && one.pattern.test(path))
      // With prefix: 'always', the catch-all route would take any language for a page.
      if (!row || (language === undefined && likeLanguage.test(path) && row.route.startsWith('/[...'))) continue
      const slug = row.pattern.exec(path)?.slice(1).join('/') ?? ''
      const found = { route: row.route, language: given ?? each, slug }
      const page = pageIn(language ?? each, found)
      if (page) return { page, found }
    }
    const missing = { route: undefined, slug: toSegments(path), path: pathname, translations: {} }
    return { page: { language: language ?? fallback, ...missing } }
  }

  for (const [language, start = ''] of Object.entries(prefixes)) {
    oneOf(...languages)('prefixes', language)
    if (/^(?:\/[\w-]+)+$/.test(start) && splitLanguage(start).language === language) continue
    throw optionError(`prefixes['${language}']`, "a language's own path, such as '/br'", start)
  }
  const clash = rows.find(({ language, path }) => language === unprefixed && splitLanguage(path).path !== path)
  if (clash) throw optionError('paths', 'no path that begins with a language', clash.path)
  return { splitLanguage, pageIn, locate }
}

/** Returns the paths of all languages, and of the table itself, in the order in which they are tried. */
function createRows({ languages, paths = { '/[...slug]': {} } }: RoutesOptions): Row[] {
  const rows: Row[] = []
  for (const [route, translated] of Object.entries<TranslatedPaths>({ '/': {}, ...paths })) {
    for (const language of Object.keys(translated)) oneOf(...languages)(`paths['${route}']`, language)
    for (const language of [ownForm, ...languages]) {
      const path: unknown = translated[language] ?? route
      if (path === false) continue
      const option = language ? `paths['${route}'].${language}` : 'paths'
      const names = String(route.match(dynamic) ?? '')
      if (typeof path !== 'string' || !wellFormed.test(path) || String(path.match(dynamic) ?? '') !== names) {
        throw optionError(option, `a path such as '/about'${names && `, with ${names}`}`, path)
      }
      const pattern = compilePath(path)
      const other = rows.find((row) => row.language === language && row.key === pattern.key)
      if (other) throw optionError(option, `a path that '${other.route}' does not have`, path)
      rows.push({ route, language, path, ...pattern })
    }
  }
  return rows.sort((one, other) => (one.key < other.key ? -1 : 1))
}

type Pattern = ReturnType<typeof compilePath>

/** Compiles a path of the table, to be read and written. */
function compilePath(path: string) {
  /** Equal for two paths with the same URLs. */
  const key = path.replace(dynamic, (_, isRest) => (isRest ? manySegments : oneSegment))
  const escaped = key.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  /** For decoded paths. Its groups are the values of the dynamic segments. */
  const pattern = new RegExp(`^${escaped.replaceAll(oneSegment, '([^/]+)').replaceAll(manySegments, '(.+)')}$`, 's')
  /** Puts a slug in place of the dynamic segments. Returns `undefined` if it does not fit. */
  const fill = (slug: string): string | undefined => {
    const values = toSegments(slug)
    const filled = path.replace(dynamic, (_, isRest) => values.splice(0, isRest ? values.length : 1).join('/'))
    return values.length === 0 && pattern.test(filled) ? filled : undefined
  }
  return { key, pattern, fill }
}

/**
 * Decodes a path, without empty segments. Returns `''`, which no path of the table matches, for a malformed escape, for `.` and `..`,
 * and for an encoded slash, which servers and sites would take for one of the path.
 */
function decodePath(path: string): string {
  try {
    const segments = toSegments(path).map(decodeURIComponent)
    return segments.some((each) => /[/\\\0]|^\.\.?$/.test(each)) ? '' : `/${segments.join('/')}`
  } catch {
    return ''
  }
}

/** Encodes what RFC 3986 does not allow in a path (section 3.3). */
function encodePath(path: string): string {
  const encoded = toSegments(path).map(encodeURIComponent).join('/')
  return `/${encoded.replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent)}`
}

function toSegments(path = ''): string[] {
  return path.split('/').filter(Boolean)
}

function foldCase(path: string): string {
  return path.toLowerCase().replaceAll('_', '-')
}

function checkLanguages(tags: readonly string[]): void {
  const wrong = tags.find((tag, index) => canonicalLanguage(tag) !== tag || tags.indexOf(tag) < index)
  if (tags.length > 0 && wrong === undefined) return
  const example = canonicalLanguage(wrong) || 'pt-BR'
  throw optionError('languages', `canonical tags, each once, such as '${example}'`, wrong ?? tags)
}
