import { LRUCache } from 'lru-cache'
import type { ContentSource } from '../../core/content/index.js'
import { warnOnce } from '../../core/development.js'
import * as check from '../../core/options.js'

/** The fields of an object in an answer or a payload. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of a CMS has any shape, and a rule reads it by optional chaining
export type ContentFields = Readonly<Record<string, any>>

/** A CMS's answer in JSON. */
export interface JsonAnswer {
  url: string
  json: ContentFields
  /** All objects and lists in the JSON, at any depth. */
  objects: readonly ContentFields[]
}

/** The dependencies of an answer beside the entries that have their ids in it. */
export interface ContentQuery {
  /** The entry, or the list of entries, that the query found. Default: `data`, `items`, `results`, `story`, or all. */
  found?: unknown
  /** Types of the entries that the query lists. Default: the types of the found entries. A type may be `undefined`. */
  types?: readonly unknown[] | undefined
  /** Whether the answer changes with each entry of `types`. Default: unless it found one entry, or those of `keys`. */
  isList?: boolean | undefined
  /** Texts that the query asks for one entry each, such as `slug=boats`. A payload purges them by its `names`. */
  keys?: readonly string[] | undefined
  /** Other tags of the answer, without the source's name. */
  names?: readonly string[] | undefined
  /** Whether the answer also depends on entries that it does not name. Then each webhook of the CMS purges the page. */
  isOpen?: boolean | undefined
  /**
   * Whether each payload of an entry names its type. Then a list of `types` has no tags of the entries that it found, since
   * it is purged with each of them. Default `false`.
   */
  hasTypedPayloads?: boolean | undefined
  /** Paths of ids that are missing in the answer, such as `author.id`. They are logged in development. */
  missing?: readonly string[] | undefined
}

/** The content of a payload. The types must be those of the queries. */
export interface ContentChange {
  ids: readonly unknown[]
  types?: readonly unknown[] | undefined
  /** Other tags to purge, without the source's name. */
  names?: readonly string[] | undefined
}

/** How a CMS identifies its entries. Ids and types are texts or numbers. */
export interface ContentRule {
  /** Returns the id of an object that is an entry, or a list of ids. Returns `undefined` for other objects. */
  idOf: (object: ContentFields) => unknown
  /** Returns the type of an entry. Default: no type is known. */
  typeOf?: ((entry: ContentFields) => unknown) | undefined
  /**
   * Whether two entries of different types may have the same id. Then the tag of an entry also has its type, where this
   * is known, such as `shop:shoe:42`. Default `false`.
   */
  hasIdsPerType?: boolean | undefined
  /** Returns the dependencies of an answer beside the entries in it. Default: a list depends on the types in it. */
  queryOf?: ((answer: JsonAnswer) => ContentQuery) | undefined
  /** Name of the header in which the CMS lists tags of its own, separated by spaces. Default: no header. */
  tagsHeader?: string | undefined
  /**
   * Returns the content of a payload. Returns `null` if no page shows it, and `undefined` for an unknown payload. Default:
   * the payload is the entry.
   */
  changeOf?: ((payload: ContentFields) => ContentChange | null | undefined) | undefined
  /**
   * Milliseconds after a webhook within which an answer may still show the content of before. Default 5,000, because some
   * webhooks are sent before the change is committed.
   */
  settles?: number | undefined
}

const checks: check.OptionChecks<ContentRule> = {
  idOf: check.required(check.checkFunction),
  typeOf: check.checkFunction,
  hasIdsPerType: check.checkBoolean,
  queryOf: check.checkFunction,
  tagsHeader: check.checkString,
  changeOf: check.checkFunction,
  settles: check.integer(),
}

/**
 * Creates the content source of a CMS from its rule. For well-known CMSs, see {@link contentSources}.
 *
 * @param name Beginning of each tag: `shop:42` for an entry, `shop:type:shoe` for the lists of a type, and `shop` for
 *   answers that do not name all that they depend on.
 * @param url Matches the absolute URLs of the CMS.
 * @throws TypeError that names the malformed option.
 * @example
 * const shop = contentSource('shop', /\/shop\/api\//, { idOf: ({ sku }) => sku, typeOf: ({ kind }) => kind })
 * shop.tagsOfPayload({ sku: 42, kind: 'shoe' }) // ['shop:42', 'shop:type:shoe', 'shop']
 */
export function contentSource(name: string, url: RegExp, rule: ContentRule): ContentSource {
  check.checkString('name', name)
  check.withMethod('exec', 'a regular expression, such as /\\/shop\\//')('url', url)
  const call = "contentSource('shop', /\\/shop\\//, { idOf: ({ sku }) => sku })"
  const { idOf, typeOf, hasIdsPerType, queryOf, tagsHeader } = check.checkKnownOptions(rule, checks, call)
  const { changeOf = (entry): ContentChange => ({ ids: [idOf(entry)], types: typeOf ? [typeOf(entry)] : [] }) } = rule
  const warnMissing = warnOnce()

  const typeTags = (types: readonly unknown[]) =>
    types.every(isId) ? types.map((type) => `${name}:type:${type}`) : [name]

  const idsOf = (entry: unknown): readonly unknown[] => {
    const ids: unknown = isObject(entry) && !Array.isArray(entry) ? idOf(entry) : undefined
    return Array.isArray(ids) ? ids.filter(isId) : isId(ids) ? [ids] : []
  }

  /** Returns the names of entries. The type of those that the query found may be known from the query alone. */
  const entryNames = (objects: readonly ContentFields[], found: ReadonlySet<unknown>, type: unknown) => {
    const entryType = (entry: ContentFields) => typeOf?.(entry) ?? (found.has(entry) ? type : undefined)
    const ids = createIdSets()
    for (const object of objects) {
      for (const id of idsOf(object)) ids.add(hasIdsPerType ? entryType(object) : undefined, id)
    }
    return ids.names()
  }

  return {
    settles: rule.settles ?? 5_000,
    tagsOfAnswer({ url: from, headers, json }) {
      if (from.search(url) < 0) return []
      const listed = tagsHeader === undefined ? null : headers.get(tagsHeader)
      if (listed !== null) return listed.split(' ').map((tag) => `${name}:${tag}`)
      if (!isObject(json)) return [name]
      const objects = objectsIn(json)
      const query = queryOf?.({ url: from, json, objects }) ?? {}
      const { found = json.data ?? json.items ?? json.results ?? json.story ?? json, keys = [], names = [] } = query
      const entries: readonly unknown[] = Array.isArray(found) ? found : [found]
      const typesOf = () => entries.map((entry) => isObject(entry) && typeOf?.(entry))
      const { types = entries.length > 0 ? typesOf() : [undefined] } = query
      const isAsked = !Array.isArray(found) || (keys.length > 0 && keys.length === found.length)
      const isNamed = isAsked && entries.every((entry) => idsOf(entry).length > 0)
      const { isList = !isNamed, isOpen = false, hasTypedPayloads = false, missing = [] } = query
      if (missing.length > 0) {
        const address = from.replace(/[?#].*/s, '') // a query may have a token
        const advice = `Content tags: this answer has entries without an id: add \`${missing.join(',')}\`, and only its`
        warnMissing(() => `${advice} pages are purged (${address})`, `${address} ${missing}`)
      }
      const ofQuery = new Set(entries)
      const others =
        isList && hasTypedPayloads && types.every(isId) ? objects.filter((one) => !ofQuery.has(one)) : objects
      const type = types.length === 1 ? types[0] : undefined
      const texts = [...entryNames(others, ofQuery, type), ...names, ...(isNamed ? keys : [])]
      const tags = new Set([
        ...texts.map((text) => `${name}:${text}`),
        ...(isList ? typeTags(types) : []),
        ...(isOpen ? [name] : []),
      ])
      return [...tags]
    },
    tagsOfPayload(payload) {
      const change = isObject(payload) ? changeOf(payload) : undefined
      if (change === null) return []
      const { ids, types = [], names = [] } = change ?? {}
      if (!Array.isArray(ids) || ![...ids, ...types].every(isId)) return undefined
      const texts = ids.flatMap((id) => [id, ...(hasIdsPerType ? types.map((type) => `${type}:${id}`) : [])])
      return [...new Set([...[...texts, ...names].map((text) => `${name}:${text}`), ...typeTags(types), name])]
    },
  }
}

// Sites ask for the same URLs again and again, and reading one takes as long as a list of a hundred entries.
const urls = new LRUCache({
  max: 500,
  memoMethod(url: string) {
    const { pathname, searchParams } = new URL(url)
    return { pathname, searchParams, params: [...searchParams] }
  },
})

/** Reads a URL. */
export const readUrl = (url: string) => urls.memo(url)

const keyPattern =
  /^(?:fields\.|sys\.|filters?\[)?(slug|uid|permalink|id|documentId)\]?(?:\[(?:[$_]?(?:eq|in))?\](?:\[\d*\])?)?$/

/** Returns the keys by which the parameters of a URL ask for one entry each, such as `slug=boats`. */
export function askedKeys(params: Iterable<readonly [string, string]>): string[] {
  return [...params].flatMap(([name, value]) => {
    const field = keyPattern.exec(name)?.[1]
    return field ? value.split(',').map((text) => `${field}=${text}`) : []
  })
}

/** Whether a parameter such as `filter[author][name]=a` or `sort=author.name` looks at entries to which others refer. */
export function looksBeyond([name, value]: readonly [string, string]): boolean {
  if (/\bsort\b/.test(name) && value.includes('.')) return true
  const path = name.split(/\bfilters?\b/)[1]?.match(/\[(?![_$\d])[^[\]]+\]/g) ?? []
  return path.filter((field) => field !== '[documentId]').length > 1
}

/** Returns the keys of an entry in a payload, in each language. */
export function keysOf(fields: ContentFields | null | undefined): string[] {
  return ['slug', 'uid', 'permalink'].flatMap((field) => {
    const value: unknown = fields?.[field]
    const values: readonly unknown[] = isObject(value) ? Object.values(value) : [value]
    return values.filter(isId).map((text) => `${field}=${text}`)
  })
}

/**
 * Collects ids of entries by their type, or without one, each once. A set compares ids in a tenth of the time that it takes for
 * texts with their types.
 */
export function createIdSets() {
  const byType = new Map<unknown, Set<unknown>>()
  return {
    add: (type: unknown, id: unknown) => void byType.set(type, (byType.get(type) ?? new Set()).add(id)),
    /** Returns the ids as texts, such as `post:7`, or `7` without a type. */
    names: () =>
      [...byType].flatMap(([type, ids]) => Array.from(ids, (id) => (isId(type) ? `${type}:${id}` : `${id}`))),
  }
}

// An answer with more objects than this is walked with a set of those that were found, which takes as long again.
const maxUnchecked = 10_000

/**
 * Returns all objects and lists in a value, at any depth, without the links of HAL, as WordPress has them. References that
 * a client has resolved may form a cycle. Its objects are listed several times.
 */
export function objectsIn(value: unknown): readonly ContentFields[] {
  const objects: ContentFields[] = isObject(value) ? [value] : []
  const found = new Set<unknown>()
  // The list grows meanwhile.
  for (const object of objects) {
    if (objects.length > maxUnchecked && found.size === found.add(object).size) continue
    if (Array.isArray(object)) {
      for (const item of object) if (isObject(item)) objects.push(item)
      continue
    }
    // `for … in` takes half the time of `Object.values`.
    for (const name in object) {
      const inner: unknown = object[name]
      if (isObject(inner) && name !== '_links') objects.push(inner)
    }
  }
  return objects
}

/** Returns the objects among values and in lists of them. It takes a fifth of the time of `flat`. */
export function entriesIn(values: readonly unknown[]): ContentFields[] {
  const entries: ContentFields[] = []
  for (const value of values) {
    for (const entry of Array.isArray(value) ? value : [value]) if (isObject(entry)) entries.push(entry)
  }
  return entries
}

/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is ContentFields {
  return typeof value === 'object' && value !== null
}

/** Whether a value can be the id of an entry. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}
