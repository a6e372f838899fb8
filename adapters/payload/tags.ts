/** An object of Payload. Its types are not imported, because the package does not depend on Payload. */
// biome-ignore lint/suspicious/noExplicitAny: documents, queries and configurations have any shape
export type Fields = Readonly<Record<string, any>>

export const documentTag = (slug: string, id: unknown) => `payload:${slug}:${id}`
export const listTag = (slug: string) => `payload:type:${slug}`
/** The tag of a page that shows the id alone, as below the depth of a query. Of the changes, only a deletion shows. */
export const deletionTag = (slug: string, id: unknown) => `${documentTag(slug, id)}:deleted`
const keyTag = (slug: string, key: string, id: unknown) => documentTag(slug, key === 'id' ? id : `${key}=${id}`)

/**
 * Returns the tags of a query for a list: of the values that it asks for, such as `{ category: { equals: 3 } }`, or of
 * all documents of its type. A path such as `author.name` looks at other documents, so each change concerns it.
 */
export function queryTags(collection: Fields, { where, sort, field }: Fields): string[] {
  const looksBeyond = [...pathsIn(where), sort, field].some((path) => String(path).includes('.'))
  return [...(keysOf(collection, where) ?? [listTag(collection.slug)]), ...(looksBeyond ? ['payload'] : [])]
}

/** Returns the paths in a condition. A condition inside of `contains` looks at other documents, as a path with a dot. */
const pathsIn = (where: Fields = {}): string[] =>
  Object.entries(where).flatMap(([name, inner]) =>
    Array.isArray(inner) ? inner.flatMap(pathsIn) : [typeof inner.contains === 'object' ? '.' : name],
  )

function keysOf(collection: Fields, { and = [], ...conditions }: Fields = {}): string[] | undefined {
  const own = Object.entries(conditions).map(([name, { equals, in: values = [equals] }]) => {
    const isKnown = isKeyOf(collection, name) && Array.isArray(values) && values.every(isExact)
    if (!isKnown) return undefined
    const { relationTo } = fieldOf(collection, name) ?? {}
    // When a related document is deleted, the database empties the field without a hook of this collection.
    const deletions = relationTo ? values.map((value) => deletionTag(relationTo, value)) : []
    return [...values.map((value) => keyTag(collection.slug, name, value)), ...deletions]
  })
  // On SQL, Payload ignores `and` beside `or`.
  const inner = Object.keys(conditions).some((name) => /^or$/i.test(name)) ? [] : and
  return [...own, ...inner.map((each: Fields) => keysOf(collection, each))].find((keys) => keys !== undefined)
}

/** Whether the values of a field are tags. Those of a language are not known when another language changes. */
const isKey = ({ type, relationTo, unique, index, localized }: Fields): boolean =>
  !localized && (typeof relationTo === 'string' || ((unique || index) && /^(?:text|email)$/.test(type)))

const fieldOf = ({ flattenedFields }: Fields, name: string): Fields | undefined =>
  flattenedFields.find((field: Fields) => field.name === name)

const isKeyOf = (collection: Fields, name: string): boolean => name === 'id' || isKey(fieldOf(collection, name) ?? {})

/** Whether Payload compares a value as it is. It reads '03' as the id 3, and 'null' as a missing value. */
const isExact = (value: unknown): boolean =>
  isId(value) && /^(?!null$).{1,100}$/s.test(`${value}`) && ['NaN', `${value}`].includes(`${Number(value)}`)

/** Returns the tags of the values by which queries find a document. */
export function keyTags({ slug, flattenedFields }: Fields, document: Fields | null | undefined): string[] {
  return flattenedFields.filter(isKey).flatMap(({ name }: Fields) => {
    const values = [document?.[name]].flat().map((value) => value?.id ?? value)
    return values.filter(isId).map((value) => keyTag(slug, name, value))
  })
}

/** Returns the tags of the ids and joins in a document. What it shows of other documents is read by itself. */
export function referenceTags(fields: readonly Fields[], data: Fields, id: unknown, payload: Fields): string[] {
  return fields.flatMap(({ name, relationTo, collection, on, flattenedFields, blocks, blockReferences = blocks }) => {
    if (relationTo) return idTags(relationTo, data[name])
    const joined: Fields[] = collection ? [collection].flat().map((slug) => payload.collections[slug].config) : []
    const joins = joined.map((type) => (isKeyOf(type, on) ? keyTag(type.slug, on, id) : listTag(type.slug)))
    const listed: string[] = blockReferences ?? []
    const inner = flattenedFields ?? listed.flatMap((block) => (payload.blocks[block] ?? block).flattenedFields)
    const rows = [data[name] ?? []].flat()
    return [...joins, ...rows.flatMap((row) => referenceTags(inner, row, id, payload))]
  })
}

function idTags(type: string, value: unknown): string[] {
  if (isId(value)) return [deletionTag(type, value)]
  const { id, relationTo, value: related } = (value ?? {}) as Fields
  if (relationTo) return idTags(relationTo, related)
  return isId(id) ? [] : Object.values(value ?? {}).flatMap((inner) => idTags(type, inner)) // a list, or languages
}

const isId = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
