import {
  askedKeys,
  type ContentFields,
  type ContentQuery,
  contentSource,
  isId,
  isObject,
  keysOf,
} from './content-source.js'

// Facts of Directus 11, from https://directus.io/docs/guides/connect/query-parameters and
// https://directus.io/docs/guides/connect/relations:
// - `/items/{collection}/{key}`; a collection may have any name. Files and users have collections of their own.
// - A field is followed only if `fields` has its path, such as `author.name`, or stars, such as `*.*`. Other relations
//   are keys: one if many entries refer to one, a list in the other direction. A JSON field has any value.
// - An entry that the reader may not see is left out of a list, and is `null` in place of an object. So such a list or
//   `null` changes with an entry that the answer does not name.
// - A path of several fields in `filter` or `sort`, and `count(…)`, look at other entries.

const collectionPattern = /\/(?:items\/([^/?#]+)|(files|users)\b)(?:\/([^/?#]+))?/

/** The fields that a query asks for: each with the fields inside of it, if it is followed. */
interface Fields {
  [field: string]: Fields
}

export const directus = contentSource('directus', /\/(?:items|files|users|graphql)\b/, {
  idOf: ({ id }) => id,
  hasIdsPerType: true,
  queryOf({ url, json: { data } }): ContentQuery {
    const [, collection, system, key] = collectionPattern.exec(url) ?? []
    const type = system ? `directus_${system}` : decodeURIComponent(collection ?? '')
    if (type === '') return { types: [undefined] }
    const params = [...new URL(url).searchParams].flatMap(([name, value]) => flatten(name, value))
    const gaps = new Set<string>()
    const keys = new Set<unknown>()
    const fields = fieldsOf(params)
    for (const entry of [data].flat()) if (isObject(entry)) readEntry(entry, fields, '', gaps, keys)
    const isFound = isObject(data) && key !== undefined
    return {
      found: data,
      types: [type],
      isList: isFound ? false : undefined,
      keys: askedKeys(params),
      names: [...(isFound ? [`${type}:${decodeURIComponent(key)}`] : []), ...deletedNames([...keys])],
      isOpen: gaps.size > 0 || params.some(looksBeyond),
      missing: [...gaps].filter((path) => path !== ''),
    }
  },
  // https://directus.io/docs/guides/automate/triggers: `{{$trigger}}`, of an action or of a filter.
  changeOf({ event, collection, key, keys, payload, item, to }) {
    if (!isId(collection)) return undefined
    const isDelete = /\.delete$/.test(event)
    // A filter before an entry is created has no key yet, and one before a deletion has the keys as its payload.
    const ids = keys ?? (isDelete && key === undefined ? payload : [key, item, to].filter(isId))
    if (!Array.isArray(ids)) return undefined
    const deleted = isDelete ? [...ids.map(deletedName), 'deleted'] : []
    return { ids, types: [collection], names: [...keysOf(payload), ...deleted] }
  },
})

/** Notes in `gaps` what an entry does not name: a path such as `author.id`, or an empty text. Notes keys in `keys`. */
function readEntry(entry: ContentFields, fields: Fields, path: string, gaps: Set<string>, keys: Set<unknown>): void {
  for (const [field, value] of Object.entries(entry)) {
    const inner = fields[field] ?? fields['*'] ?? {}
    const isFollowed = isNotEmpty(inner)
    if (Array.isArray(value) ? isFollowed || !isObject(value[0]) : isFollowed && value === null) gaps.add('')
    if (!isFollowed && field !== 'id' && isKey(value)) keys.add(value)
    if (!isFollowed) continue
    for (const item of [value].flat()) {
      if (!isObject(item)) continue
      const itemPath = `${path}${field}.`
      // A star also follows fields in JSON, whose objects have no ids.
      if (!isId(item.id)) gaps.add(fields[field] ? `${itemPath}id` : '')
      readEntry(item, inner, itemPath, gaps, keys)
    }
  }
}

function isNotEmpty(fields: Fields): boolean {
  for (const _ in fields) return true
  return false
}

function isKey(value: unknown): boolean {
  if (typeof value === 'string')
    return /^(?:\d{1,20}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/.test(value)
  return Number.isInteger(value) && (value as number) > 0
}

// Answers with more numbers than this have one tag for all.
const maxKeys = 30

const deletedName = (key: unknown) => `deleted=${key}`

/** Returns the tags of keys, any of which may refer to an entry. The database removes the key when the entry is deleted. */
function deletedNames(keys: readonly unknown[]): string[] {
  return keys.length > maxKeys ? ['deleted'] : keys.map(deletedName)
}

/** Returns a parameter by its full names: `filter={"slug":{"_eq":"a"}}` as `filter[slug][_eq]=a`. */
function flatten(name: string, value: unknown): [string, string][] {
  if (name === 'filter' && typeof value === 'string') return flatten('filter[]', JSON.parse(value))
  if (!isObject(value)) return [[name, String(value)]]
  return Object.entries(value).flatMap(([field, inner]) => flatten(`${name.replace('[]', '')}[${field}]`, inner))
}

function fieldsOf(params: readonly [string, string][]): Fields {
  const root: Fields = {}
  for (const [name, value] of params) {
    if (!/^fields(?:\[\d*\])?$/.test(name)) continue
    for (const path of value.split(',')) {
      let fields = root
      // The fields of a collection are written as `item:headings.title`.
      for (const field of path.trim().split('.')) fields = fields[field.replace(/:.*/s, '')] ??= {}
    }
  }
  return root
}

function looksBeyond([name, value]: readonly [string, string]): boolean {
  if (/\bcount\(/.test(name + value) || /^(?:version|deep)\b/.test(name)) return true
  if (/^sort\b/.test(name)) return value.includes('.')
  return /^filter\[/.test(name) && (name.match(/\[(?![_$\d])[^[\]]*\]/g) ?? []).length > 1
}
