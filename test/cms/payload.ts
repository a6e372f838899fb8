import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRandom } from '../../core/content/testing/graph.js'
import { createRun, installOnce } from './install.js'

export const version = '3.90.2'
export const packages = ['payload', '@payloadcms/db-sqlite'].map((name) => `${name}@${version}`)

export type Doc = Record<string, unknown> & { id: number }
type Operation = (args: Record<string, unknown>) => Promise<Doc>

/** The part of Payload that the tests use. The package does not depend on Payload, so its types are not there. */
export interface TestPayload {
  find(args: Record<string, unknown>): Promise<{ docs: Doc[] }>
  findByID: (args: Record<string, unknown>) => Promise<Doc | null>
  findGlobal: Operation
  count: (args: Record<string, unknown>) => Promise<object>
  create: Operation
  update: Operation
  delete: Operation
  updateGlobal: Operation
  jobs: { queue: Operation; run(): Promise<unknown> }
  db: {
    beginTransaction(): Promise<string>
    commitTransaction(id: string): Promise<void>
    rollbackTransaction(id: string): Promise<void>
  }
  destroy(): Promise<void>
}

const text = (name: string, more = {}) => ({ name, type: 'text', ...more })
const relation = (name: string, relationTo: string | string[], more = {}) => {
  return { name, type: relationTo === 'media' ? 'upload' : 'relationship', relationTo, ...more }
}
const visitorsRead = ({ req }: { req: { user: unknown } }) => Boolean(req.user) || { _status: { equals: 'published' } }

const access = { read: () => true }

const createConfig = (folder: string, isOpen: boolean) => ({
  collections: [
    { slug: 'media', access, upload: { staticDir: join(folder, 'media') }, fields: [text('alt')] },
    { slug: 'categories', access, fields: [text('title'), text('slug', { index: true })] },
    {
      slug: 'authors',
      access,
      fields: [
        ...[text('name'), text('slug', { index: true }), relation('photo', 'media')],
        ...(isOpen ? [{ name: 'articles', type: 'join', collection: 'articles', on: 'author', maxDepth: 1 }] : []),
      ],
    },
    {
      slug: 'articles',
      versions: { drafts: { schedulePublish: true } },
      access: { read: visitorsRead },
      fields: [
        ...[
          text('title'),
          text('slug', { index: true }),
          { name: 'rank', type: 'number' },
          relation('author', 'authors'),
        ],
        relation('categories', 'categories', { hasMany: true }),
        { type: 'row', fields: [relation('cover', 'media')] },
        relation('related', ['articles', 'authors'], { hasMany: true }),
        {
          name: 'layout',
          type: 'blocks',
          blocks: [{ slug: 'teaser', fields: [text('label'), relation('article', 'articles')] }],
        },
      ],
    },
  ],
  globals: [
    {
      slug: 'header',
      access,
      fields: [
        text('title'),
        { name: 'menu', type: 'array', fields: [text('label'), relation('article', 'articles')] },
      ],
    },
    { slug: 'footer', access, versions: { drafts: true }, fields: [text('title'), relation('logo', 'media')] },
  ],
})

/**
 * Starts a Payload on SQLite in this process.
 *
 * @param isOpen Whether authors join their articles.
 */
export async function startPayload(plugin: (config: object) => object, hasTransactions: boolean, isOpen: boolean) {
  const folder = await installOnce(`payload-${version}`, packages)
  const cwd = await createRun(folder)
  // Payload creates no tables if another Payload of this process has the same ones.
  process.env.PAYLOAD_FORCE_DRIZZLE_PUSH = 'true'
  const load = (name: string) => import(pathToFileURL(join(folder, 'node_modules', name, 'dist/index.js')).href)
  const [{ buildConfig, getPayload }, { sqliteAdapter }] = await Promise.all([
    load('payload'),
    load('@payloadcms/db-sqlite'),
  ])
  const config = await buildConfig({
    ...createConfig(cwd, isOpen),
    secret: 'between-us-and-payload',
    telemetry: false,
    typescript: { autoGenerate: false },
    db: sqliteAdapter({
      client: { url: `file:${join(cwd, 'data.db')}` },
      wal: true,
      busyTimeout: 20_000,
      transactionOptions: hasTransactions ? {} : false,
    }),
    plugins: [plugin],
  })
  const payload: TestPayload = await getPayload({ config, key: cwd, disableOnInit: true })
  const close = async () => {
    await payload.destroy()
    await rm(cwd, { recursive: true, force: true })
  }
  return { payload, close }
}

const count = 8
const collections = ['media', 'categories', 'authors', 'articles'] as const
type Collection = (typeof collections)[number]

/** Creates a Payload's entries by chance, changes them by chance, and lists pages that show them. */
export function createPayloadSite(payload: TestPayload, seed: number) {
  const { below, pick } = createRandom(seed)
  const ids: Record<Collection, number[]> = { media: [], categories: [], authors: [], articles: [] }
  let made = 0
  const some = (collection: Collection, max: number) =>
    [...new Set(Array.from({ length: below(max + 1) }, () => pick(ids[collection])))].filter((id) => id !== undefined)
  const one = (collection: Collection) => pick(ids[collection]) ?? null
  const createData: Record<Collection, () => Record<string, unknown>> = {
    media: () => ({ alt: `alt ${++made}` }),
    categories: () => ({ title: `category ${++made}`, slug: `category-${below(2 * count)}` }),
    authors: () => ({ name: `author ${below(count)}`, slug: `author-${below(2 * count)}`, photo: one('media') }),
    articles: () => ({
      ...{ title: `article ${++made}`, slug: `article-${below(2 * count)}`, rank: below(100), author: one('authors') },
      ...{ categories: some('categories', 2), cover: one('media') },
      related: [
        ...some('articles', 1).map((value) => ({ relationTo: 'articles', value })),
        ...some('authors', 1).map((value) => ({ relationTo: 'authors', value })),
      ],
      layout: some('articles', 1).map((article) => ({ blockType: 'teaser', label: `label ${++made}`, article })),
    }),
  }
  const fileOf = (collection: Collection) => {
    const data = Buffer.from(`file ${++made}`)
    if (collection !== 'media') return {}
    return { file: { data, mimetype: 'text/plain', name: `${randomUUID()}.txt`, size: data.length } }
  }
  const create = async (collection: Collection) => {
    const status = collection === 'articles' && { _status: below(4) ? 'published' : 'draft' }
    const data = { ...createData[collection](), ...status }
    ids[collection].push((await payload.create({ collection, data, ...fileOf(collection) })).id)
    return `create in ${collection}`
  }
  const menu = () => ({
    title: `header ${++made}`,
    menu: some('articles', 2).map((article) => ({ label: `label ${++made}`, article })),
  })

  const changeArticle = async (id: number): Promise<string> => {
    const { _status: status } = (await payload.findByID({ collection: 'articles', id, draft: true, depth: 0 })) as Doc
    const next = status === 'published' && below(4) > 0 ? status : status === 'published' ? 'draft' : 'published'
    const data = { ...someOf(createData.articles()), _status: next }
    await payload.update({ collection: 'articles', id, data, ...(below(4) === 0 && { select: { rank: true } }) })
    return `article ${id} ${status} to ${next}, ${Object.keys(data)}`
  }
  const someOf = (data: Record<string, unknown>) => {
    const names = Object.keys(data)
    const first = pick(names)
    return Object.fromEntries(Object.entries(data).filter(([name]) => name === first || below(4) === 0))
  }
  const saveDraft = async (id: number) => {
    await payload.update({ collection: 'articles', id, data: someOf(createData.articles()), draft: true })
    return `draft of article ${id}`
  }

  return {
    ids,
    async seed() {
      for (const collection of collections) for (let index = 0; index < count; index++) await create(collection)
      await payload.updateGlobal({ slug: 'header', data: menu() })
      await payload.updateGlobal({
        slug: 'footer',
        data: { title: 'footer', logo: one('media'), _status: 'published' },
      })
    },
    /** Makes one random change, and returns its description. */
    async edit(isOpen: boolean): Promise<string> {
      const kind = below(24)
      const collection = pick(collections)
      if (kind === 0) await payload.updateGlobal({ slug: 'header', data: menu() })
      if (kind === 0) return 'header'
      if (kind === 1) {
        const data = { title: `footer ${++made}`, logo: one('media'), _status: pick(['draft', 'published']) }
        await payload.updateGlobal({ slug: 'footer', data })
        return 'footer'
      }
      const id = pick(ids[collection])
      if (id === undefined || (kind < 4 && ids[collection].length < 2 * count)) return create(collection)
      if (kind < 6 && ids[collection].length > count / 2) {
        ids[collection] = ids[collection].filter((other) => other !== id)
        await payload.delete({ collection, id, ...(below(2) && { select: { id: true } }) })
        return `delete ${id} in ${collection}`
      }
      if (collection === 'articles') return isOpen && below(2) ? saveDraft(id) : changeArticle(id)
      await payload.update({
        collection,
        id,
        data: someOf(createData[collection]()),
        ...(below(2) && fileOf(collection)),
      })
      return `update ${id} in ${collection}`
    },
    /**
     * Returns pages by path, each of one or two queries.
     *
     * @param isOpen Whether to add pages that depend on documents that they do not show.
     */
    pages(isOpen: boolean): Map<string, () => Promise<unknown>> {
      const visitor = { overrideAccess: false }
      const published = { _status: { equals: 'published' } }
      const pages = new Map<string, () => Promise<unknown>>()
      const add = (path: string, read: () => Promise<unknown>) => pages.set(path, read)
      for (const id of [1, 3, 5, 7, 10]) {
        const byId = { id, disableErrors: true, ...visitor }
        add(`/article/${id}`, () => payload.findByID({ collection: 'articles', depth: id % 3, ...byId }))
        add(`/author/${id}`, () => payload.findByID({ collection: 'authors', depth: 2, ...byId }))
        const bySlug = { and: [published, { slug: { equals: `article-${id}` } }] }
        add(`/slug/${id}`, () =>
          payload.find({ collection: 'articles', depth: 2, where: bySlug, limit: 1, ...visitor }),
        )
      }
      for (const id of [1, 4]) {
        const categories = { in: [id, id + 1] }
        // As in Payload's own template, a block queries in a component of its own.
        const archive = async () =>
          payload.find({ collection: 'articles', depth: 1, limit: 10, where: { categories, ...published } })
        const parts = () =>
          Promise.all([payload.findByID({ collection: 'categories', id, disableErrors: true }), archive()])
        add(`/category/${id}`, parts)
      }
      add('/authors', () => payload.find({ collection: 'authors', depth: 0, limit: 0 }))
      add('/header', () => payload.findGlobal({ slug: 'header', depth: 2 }))
      add('/footer', () => payload.findGlobal({ slug: 'footer', depth: 1 }))
      add('/media/2', () => payload.findByID({ collection: 'media', id: 2, disableErrors: true }))
      add('/count', () => payload.count({ collection: 'articles', where: { author: { equals: 2 } }, ...visitor }))
      if (!isOpen) return pages
      add('/of-author', () => {
        const where = { 'author.name': { equals: 'author 2' } }
        return payload.find({ collection: 'articles', depth: 0, where, sort: 'author.name,rank', ...visitor })
      })
      add('/newest', () =>
        payload.find({ collection: 'articles', depth: 1, limit: 3, sort: '-rank', where: published }),
      )
      const where = { categories: { equals: 2 }, ...published }
      add('/page/2', () => payload.find({ collection: 'articles', depth: 0, limit: 1, page: 2, where }))
      return pages
    },
  }
}
