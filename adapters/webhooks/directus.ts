import { askedKeys, contentSource, entriesIn, isId, isObject, keysOf, looksBeyond, readUrl } from './content-source.js'

// Facts of Directus 11, from https://directus.io/docs/guides/connect/query-parameters and
// https://directus.io/docs/guides/connect/relations:
// - `/items/{collection}/{key}`; a collection may have any name. Files and users have collections of their own.
// - A field is followed only if `fields` has its path, such as `author.name`, or stars, such as `*.*`. Other relations
//   are keys: one if many entries refer to one, a list in the other direction. A JSON field has any value.
// - An entry that the reader may not see is left out of a list, and is `null` in place of an object. So such a list or
//   `null` changes with an entry that the answer does not name.
// - A path of several fields in `filter` or `sort`, and `count(…)`, look at other entries.

const collectionPattern = /\/(?:items\/([^/?#]+)|(files|users)\b)(?:\/([^/?#]+))?/

export const directus = contentSource('directus', /\/(?:items|files|users|graphql)\b/, {
  idOf: ({ id }) => id,
  hasIdsPerType: true,
  queryOf({ url, json: { data, errors } }) {
    const [, collection, system, key] = collectionPattern.exec(url) ?? []
    const type = system ? `directus_${system}` : decodeURIComponent(collection ?? '')
    if (type === '') return { types: [undefined] }
    const params = readUrl(url).params.flatMap(([name, value]) => flatten(name, value))
    const filtered = params.flatMap(([name, value]) => (name.startsWith('filter[') ? value.split(',') : []))
    const { keys, missing, isOpen } = readEntries(data, pathsOf(params))
    return {
      found: data,
      types: [type],
      isList: key ? false : undefined,
      hasTypedPayloads: true,
      keys: askedKeys(params),
      names: [
        ...(key ? [`${type}:${decodeURIComponent(key)}`] : []),
        ...deletedNames([...new Set([...keys, ...filtered.filter(isKey)])]),
      ],
      isOpen:
        isOpen ||
        params.some((param) => looksBeyond(param) || isOther.test(param.join('='))) ||
        // A hidden item is forbidden. Any other error passes without an edit.
        (errors !== undefined && errors?.[0]?.extensions?.code !== 'FORBIDDEN'),
      missing,
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

/** Returns the paths that `fields` follows, such as `author` and `author.employer` for `author.employer.name`. */
function pathsOf(params: readonly [string, string][]): string[] {
  const fields = params.flatMap(([name, value]) => (/^fields(?:\[\d*\])?$/.test(name) ? value.split(',') : []))
  const paths = fields.flatMap((field) => {
    // The fields of a collection are written as `item:headings.title`.
    const names = field.split('.').map((part) => part.trim().replace(/:.*/s, ''))
    return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('.'))
  })
  return [...new Set(paths)]
}

/** Reads the entries of an answer, and those at all paths that the query follows. */
function readEntries(data: unknown, paths: readonly string[]) {
  const relations = paths.map((path) => ({ path, values: path.split('.').reduce(valuesOf, [data]) }))
  const values = relations.flatMap((relation) => relation.values)
  const withoutId = relations.filter((relation) => entriesIn(relation.values).some(({ id }) => !isId(id)))
  const keys = new Set<unknown>()
  // A list in an entry, and an empty relation, may get an entry that the reader does not see yet.
  let isOpen = withoutId.length > 0 || values.some((value) => value === null || Array.isArray(value))
  for (const entry of entriesIn([data, ...values])) {
    for (const field in entry) {
      const value: unknown = entry[field]
      if (isObject(value)) {
        // A list of keys, or of no entries.
        if (Array.isArray(value) && !isObject(value[0])) isOpen = true
      } else if (field !== 'id' && keys.size <= maxKeys && isKey(value)) keys.add(value)
    }
  }
  // A star also follows fields in JSON, whose objects have no ids.
  const missing = withoutId.filter(({ path }) => !path.includes('*')).map(({ path }) => `${path}.id`)
  return { keys, missing, isOpen }
}

/** Returns the values of a field in entries. A star stands for each field. */
function valuesOf(values: readonly unknown[], field: string): unknown[] {
  const entries = entriesIn(values)
  return field === '*' ? entries.flatMap(Object.values) : entries.map((entry) => entry[field])
}

function isKey(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && keyPattern.test(value))
}

const keyPattern = /^(?:\d{1,20}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/

// Parameters that look at other entries, or at a version of an entry.
const isOther = /\bcount\(|^(?:version|deep)\b/

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
