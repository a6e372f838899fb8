import type { ContentAnswer, ContentSource } from '../index.js'

const types = ['post', 'author', 'topic'] as const
type Type = (typeof types)[number]

interface Entry {
  id: string
  type: Type
  title: string
  slug: string
  refs: string[]
}

/** The address of one read of a page. */
type Read = string

const entriesOfType = 8
const pageCount = 16
export const pages = Array.from({ length: pageCount }, (_, index) => `/${index}`)

/** Creates a generator of random numbers (mulberry32): the same seed gives the same graph and edits. */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { below, pick: <Value>(list: readonly Value[]) => list[below(list.length)] as Value }
}

/**
 * Creates a content system with random entries, and pages that show entries, their references, lists and searches by
 * slug.
 */
export function createGraph(seed: number) {
  const { below, pick } = createRandom(seed)
  const ids = types.flatMap((type) => Array.from({ length: entriesOfType }, (_, index) => `${type}-${index}`))
  const typeOf = (id: string) => id.slice(0, id.indexOf('-')) as Type
  const pickSome = (max: number) => Array.from({ length: below(max + 1) }, () => pick(ids))
  let version = 0
  const createEntry = (id: string): Entry => {
    return { id, type: typeOf(id), title: `${pick('abcdef'.split(''))} ${version++}`, slug: id, refs: pickSome(3) }
  }
  const entries = new Map(ids.filter(() => below(10) > 0).map((id) => [id, createEntry(id)]))
  const createRead = (): Read => {
    const kind = below(50)
    if (kind < 30) return `/entry/${pick(ids)}?depth=${below(3)}`
    if (kind < 40) return `/list/${pick(types)}`
    if (kind < 49) return `/slug/${pick(ids)}`
    return `/newest/${pick(types)}`
  }
  const reads = new Map(pages.map((page) => [page, Array.from({ length: 1 + below(3) }, createRead)]))

  const resolve = (id: string, depth: number): object => {
    const entry = entries.get(id)
    if (!entry) return { missing: id }
    return { ...entry, refs: entry.refs.map((ref) => (depth > 0 ? resolve(ref, depth - 1) : { ref })) }
  }
  const listOf = (type: string) =>
    [...entries.values()].filter((entry) => entry.type === type).map(({ id }) => resolve(id, 0))
  const answer = (read: Read): unknown => {
    const url = new URL(read, 'https://cms.test')
    const [, kind, name = ''] = url.pathname.split('/')
    if (kind === 'entry') return resolve(name, Number(url.searchParams.get('depth')))
    if (kind === 'list') return listOf(name)
    if (kind === 'slug')
      return [...entries.values()].filter(({ slug }) => slug === name).map(({ id }) => resolve(id, 1))
    return (listOf(name) as Entry[]).sort((first, second) => (first.title < second.title ? -1 : 1)).slice(0, 4)
  }

  /** Changes an entry, and returns the payload of the webhook. */
  const edit = (): object => {
    const id = pick(ids)
    const entry = entries.get(id)
    const kind = below(20)
    if (!entry) entries.set(id, createEntry(id))
    else if (kind === 0) entries.delete(id)
    else if (kind === 1 || entry.slug !== id) entry.slug = entry.slug === id ? `${id}-renamed` : id
    else if (kind < 8) entry.refs = [...pickSome(3), pick(ids.filter((ref) => !entry.refs.includes(ref)))]
    else entry.title = createEntry(id).title
    return { id, type: typeOf(id) }
  }

  return {
    answer,
    edit,
    readsOf: (page: string) => reads.get(page) ?? [],
    render: (page: string) => JSON.stringify(reads.get(page)?.map(answer)),
  }
}

/** Names the ids of the entries in an answer, including entries that are missing, and the type of a list. */
export const source: ContentSource = {
  tagsOfAnswer({ url, json }: ContentAnswer) {
    const [, kind, name = ''] = new URL(url).pathname.split('/')
    const isList = kind === 'list' || kind === 'newest' || (kind === 'slug' && (json as unknown[]).length === 0)
    return [...(isList ? [name.split('-')[0] ?? ''] : []), ...idsIn(json)]
  },
  tagsOfPayload(payload) {
    const { id, type } = payload as { id: string; type: string }
    return [id, type]
  },
}

function idsIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(idsIn)
  if (typeof json !== 'object' || json === null) return []
  const { id, missing, refs } = json as { id?: string; missing?: string; refs?: unknown }
  return [id, missing].filter((name) => name !== undefined).concat(idsIn(refs))
}

/** Counts the pages that were rendered again, and those among them that stayed the same. */
export function createCount() {
  const count = { edits: 0, purged: 0, same: 0 }
  return {
    count,
    add(isNew: boolean, before: string | undefined, after: string) {
      if (!isNew || before === undefined) return
      count.purged++
      if (before === after) count.same++
    },
  }
}
