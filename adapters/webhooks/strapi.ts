import { askedKeys, contentSource, isId, isObject, keysOf, looksBeyond, objectsIn, readUrl } from './content-source.js'

// Facts of Strapi 5, from https://docs.strapi.io/cms/api/rest and
// https://docs.strapi.io/cms/backend-customization/webhooks:
// - `documentId` is unique, and each entry and file in an answer of REST has it. Components have no id.
// - URLs have the plural of a type, `/api/articles`, and payloads its singular, `"model": "article"`. Both are free text.
// - A payload has the entries to which its entry is related, if the relation has a field on both sides. So an entry that
//   is added to a relation is named together with the other side, but one that is removed is named alone.
// - A relation to a draft is `null`, and nothing names the relation when the draft is published.
// - A path of several fields in `filters` or `sort` looks at other entries.
// In version 4, an entry has `id` and `attributes`, and a payload has no relations.

// Types of URLs that have answered with data in this process.
const seenTypes = new Set<string>()
const maxSeenTypes = 1000

export const strapi = contentSource('strapi', /\/(?:api|graphql)\b/, {
  idOf: ({ documentId, id, attributes }) => documentId ?? (attributes && id),
  queryOf({ url, json: { data }, objects }) {
    const { pathname, params } = readUrl(url)
    const type = decodeURIComponent(/\/api\/([^/]+)/.exec(pathname)?.[1] ?? '')
    if (type === '') return { found: data, types: [undefined], isList: true }
    if (isObject(data) && seenTypes.size < maxSeenTypes) seenTypes.add(type)
    const populated = params.flatMap(([name, value]) => (/^populate\b/.test(name) ? wordsOf(name + value) : []))
    return {
      found: data,
      types: [type, 'list'],
      keys: askedKeys(params),
      names: params.flatMap(([name, value]) =>
        /\[(?:documentId|id)\](?:\[\$(?:eq|in)\](?:\[\d+\])?)?$/.test(name) ? [value] : [],
      ),
      isOpen:
        params.some(looksBeyond) ||
        // The number of related entries, an empty relation, or version 4, whose payloads name no relations.
        objects.some((object) => typeof object.count === 'number' && Object.keys(object).length === 1) ||
        objects.some((object) => populated.some((field) => object[field] === null || object.attributes)),
    }
  },
  changeOf({ entry, media, model }) {
    const { documentId, id } = entry ?? media ?? {}
    const related = objectsIn(entry).flatMap((object) => (isId(object.documentId) ? object.documentId : []))
    const ids = [documentId ?? id, ...related]
    if (ids.length > maxRelated) return undefined
    // Files are listed under `/api/upload/files`.
    const types = media ? ['upload'] : pluralsOf(model).filter((type) => seenTypes.has(type))
    return { ids, names: [...keysOf(entry), ...(types.length > 0 ? types : ['list']).map((type) => `type:${type}`)] }
  },
})

/** Maximum number of related entries in a payload; beyond it, the payload purges all pages. */
const maxRelated = 1000

const wordsOf = (text: string) => text.split(/[^\w-]+/)

/**
 * Returns the texts under which a model may be in URLs: its own, for a single type, and its regular plurals. If none has
 * answered, the payload purges the lists of all types.
 */
function pluralsOf(model: unknown): string[] {
  if (!isId(model)) return []
  const singular = `${model}`
  return [singular, `${singular}s`, `${singular}es`, singular.replace(/y$/, 'ies')]
}
