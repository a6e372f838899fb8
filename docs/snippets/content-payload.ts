import { contentSource } from 'sitewright/webhooks'

// Numbers may be the ids of entries that are not shown, such as drafts, or beyond `depth`.
const numbersIn = (value: unknown, field = ''): number[] => {
  if (typeof value === 'number') return field === 'id' ? [] : [value]
  const fields = Object.entries(typeof value === 'object' && value ? value : [])
  return fields.flatMap(([name, inner]) => numbersIn(inner, name))
}

export const payloadSource = contentSource('payload', /\/api\//, {
  idOf: ({ id }) => id,
  hasIdsPerType: true, // an article and an author may both have the id 7
  queryOf({ url, json }) {
    const { pathname, search } = new URL(url)
    const [, type, id] = /\/api\/((?:globals\/)?[^/]+)(?:\/([^/]+))?/.exec(pathname) ?? []
    const found = json.docs ?? json
    return {
      found,
      types: [type],
      isList: id === undefined,
      names: [
        ...numbersIn(found).map(String),
        ...(id === undefined ? [] : [`${type}:${id}`]),
      ],
      // A join, or a query across a relation, also changes with entries that the answer does not name.
      isOpen: JSON.stringify(found).includes('"docs":') || search.includes('.'),
    }
  },
  changeOf: ({ collection, global, id }) =>
    global ? { ids: [], types: [`globals/${global}`] } : { ids: [id], types: [collection] },
})

const send = async (body: object) => {
  const headers = { Authorization: `Bearer ${process.env.REVALIDATE_SECRET}` }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  await fetch('https://www.example.com/api/revalidate', request).catch(console.error)
}

interface Change {
  collection: { slug: string }
}
/** The `hooks` of each collection. */
export const hooks = {
  afterChange: [
    ({ collection, doc }: Change & { doc: { id: unknown } }) =>
      void send({ collection: collection.slug, id: doc.id }),
  ],
  afterDelete: [
    ({ collection, id }: Change & { id: unknown }) =>
      void send({ collection: collection.slug, id }),
  ],
}
/** The `hooks` of each global. */
export const globalHooks = {
  afterChange: [
    ({ global }: { global: { slug: string } }) => void send({ global: global.slug }),
  ],
}
