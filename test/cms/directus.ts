import { join } from 'node:path'
import { createRandom } from '../../core/content/testing/graph.js'
import { freePort } from '../setup/free-port.js'
import { createRun, installOnce, run, startServer } from './install.js'
import { authorization, marker } from './site.js'

const token = 'between-us-and-directus'
const collections = [
  'companies',
  'authors',
  'articles',
  'tags',
  'articles_tags',
  'blog-posts',
  'settings',
  'directus_files',
  marker,
]

/** Starts a Directus with collections and a flow of the type "Action" that sends its events to `hook`. */
export async function startDirectus(hook: string, keys: Keys) {
  const folder = await installOnce('directus-11.3.5', ['directus@11.3.5', 'sqlite3@5.1.7'])
  const cwd = await createRun(folder)
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: join(cwd, 'data.db'), SECRET: 'a'.repeat(32), TELEMETRY: 'false' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'password', ADMIN_TOKEN: token, LOG_LEVEL: 'error' },
    ...{ HOST: '127.0.0.1', PORT: port, PUBLIC_URL: url, EXTENSIONS_PATH: cwd, STORAGE_LOCAL_ROOT: cwd },
    // By default, Directus answers 503 on a busy machine, and flows may send nothing to this machine.
    PRESSURE_LIMITER_ENABLED: 'false',
    ...{ IMPORT_IP_DENY_LIST: '169.254.169.254', WEBSOCKETS_ENABLED: 'false', NODE_ENV: 'production' },
  }
  // The package `directus` first asks its registry for a newer version.
  const cli = join(folder, 'node_modules/@directus/api/dist/cli/run.js')
  await run([cli, 'bootstrap'], cwd, env)
  const close = await startServer([cli, 'start'], cwd, env, `${url}/server/ping`)

  const send = async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}${path}`, {
      method,
      // On a busy machine, the server ends a kept connection between two edits.
      headers: {
        Connection: 'close',
        Authorization: `Bearer ${token}`,
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text).data
  }
  await createSchema(send, keys)
  await createFlow(send, hook)
  return { url, send, close }
}

export type Send = Awaited<ReturnType<typeof startDirectus>>['send']

async function createSchema(send: Send, keys: Keys) {
  const text = (field: string) => ({ field, type: 'string', schema: {} })
  const integer = (field: string) => ({ field, type: 'integer', schema: {} })
  const reference = (field: string) => ({ field, type: keys, schema: {} })
  const primaryKey = (type: Keys) => ({
    ...{ field: 'id', type, meta: type === 'uuid' ? { special: ['uuid'] } : {} },
    schema: { is_primary_key: true, has_auto_increment: type === 'integer' },
  })
  const collection = (name: string, fields: object[], meta = {}, type = keys) =>
    send('POST', '/collections', {
      collection: name,
      schema: {},
      meta,
      fields: [primaryKey(type), ...fields],
    })
  await collection('companies', [text('name')])
  await collection('authors', [text('name'), text('slug'), reference('employer')])
  await collection(
    'articles',
    [
      text('title'),
      text('slug'),
      text('status'),
      integer('sort'),
      reference('author'),
      { field: 'cover', type: 'uuid', schema: {}, meta: { special: ['file'] } },
      { field: 'links', type: 'json', schema: {} },
    ],
    { sort_field: 'sort' },
  )
  await collection('tags', [text('name')])
  await collection('articles_tags', [reference('articles_id'), reference('tags_id')], {}, 'integer')
  await collection('blog-posts', [text('title')])
  const menu = { field: 'menu', type: 'json', schema: {} }
  await collection('settings', [text('title'), menu], { singleton: true }, 'integer')
  await collection(marker, [text('title')], {}, 'integer')
  const relation = async (name: string, field: string, related: string, one?: string, junction?: string) => {
    if (one)
      await send('POST', `/fields/${related}`, {
        field: one,
        type: 'alias',
        meta: { special: [junction ? 'm2m' : 'o2m'] },
      })
    const meta = { one_field: one ?? null, junction_field: junction ?? null }
    const schema = { on_delete: junction ? 'CASCADE' : 'SET NULL' }
    await send('POST', '/relations', { collection: name, field, related_collection: related, meta, schema })
  }
  await relation('authors', 'employer', 'companies', 'authors')
  await relation('articles', 'author', 'authors', 'articles')
  await relation('articles', 'cover', 'directus_files')
  await relation('articles_tags', 'articles_id', 'articles', 'tags', 'tags_id')
  await relation('articles_tags', 'tags_id', 'tags', 'articles', 'articles_id')
  const [policy] = await send('GET', '/policies?filter[name][_eq]=$t:public_label')
  for (const name of collections) {
    const permissions = name === 'articles' ? { status: { _eq: 'published' } } : {}
    await send('POST', '/permissions', {
      policy: policy.id,
      collection: name,
      action: 'read',
      fields: ['*'],
      permissions,
    })
  }
}

async function createFlow(send: Send, hook: string) {
  const scope = ['items.create', 'items.update', 'items.delete', 'items.sort', 'files.upload']
  const options = { type: 'action', scope, collections }
  const flow = await send('POST', '/flows', {
    name: 'site',
    status: 'active',
    trigger: 'event',
    accountability: null,
    options,
  })
  const operation = await send('POST', '/operations', {
    ...{ flow: flow.id, key: 'send', name: 'send', type: 'request', position_x: 1, position_y: 1 },
    options: {
      method: 'POST',
      url: hook,
      headers: [{ header: 'Authorization', value: authorization }],
      body: '{{$trigger}}',
    },
  })
  await send('PATCH', `/flows/${flow.id}`, { operation: operation.id })
}

/** The type of the primary keys. Numbers repeat between collections, and UUIDs do not. */
export type Keys = 'integer' | 'uuid'

const count = 8
const ids = Array.from({ length: count }, (_, index) => index + 1)
const names = ['companies', 'authors', 'articles', 'tags', 'blog-posts', 'files'] as const

/** Returns the key of an entry of the seed. */
function keyOf(keys: Keys, collection: (typeof names)[number], id: number): number | string {
  if (keys === 'integer' && collection !== 'files') return id
  return `00000000-0000-4000-8000-${String(names.indexOf(collection) * 100 + id).padStart(12, '0')}`
}

function createFile(id: string | number | undefined, title: string): FormData {
  const form = new FormData()
  if (id !== undefined) form.set('id', String(id))
  form.set('title', title)
  form.set('file', new Blob([title], { type: 'text/plain' }), 'a.txt')
  return form
}

export async function seedDirectus(send: Send, seed: number, keys: Keys) {
  const { below, pick } = createRandom(seed)
  const key = (collection: (typeof names)[number], id: number) => keyOf(keys, collection, id)
  for (const id of ids) await send('POST', '/files', createFile(key('files', id), `file ${id}`))
  await send(
    'POST',
    '/items/companies',
    ids.map((id) => ({ id: key('companies', id), name: `company ${id}` })),
  )
  await send(
    'POST',
    '/items/authors',
    ids.map((id) => ({
      ...{ id: key('authors', id), name: `author ${id}`, slug: `author-${id}` },
      employer: key('companies', pick(ids)),
    })),
  )
  await send(
    'POST',
    '/items/tags',
    ids.map((id) => ({ id: key('tags', id), name: `tag ${id}` })),
  )
  await send(
    'POST',
    '/items/articles',
    ids.map((id) => ({
      ...{
        id: key('articles', id),
        cover: key('files', pick(ids)),
        title: `article ${id}`,
        slug: `article-${id}`,
        status: below(4) ? 'published' : 'draft',
        sort: id,
      },
      ...{ author: key('authors', pick(ids)), links: [{ label: 'a' }] },
    })),
  )
  for (const id of ids) {
    await send('POST', '/items/articles_tags', { articles_id: key('articles', id), tags_id: key('tags', pick(ids)) })
  }
  await send(
    'POST',
    '/items/blog-posts',
    ids.map((id) => ({ id: key('blog-posts', id), title: `post ${id}` })),
  )
  await send('PATCH', '/items/settings', { title: 'site', menu: [{ label: 'Home', url: '/' }] })
}

/** Returns queries as people write them, by chance: with and without the ids of related entries. */
export function directusQueries(origin: string, seed: number, size: number, keys: Keys): string[] {
  const { below, pick } = createRandom(seed)
  const key = (collection: (typeof names)[number], id = pick(ids)) => keyOf(keys, collection, id)
  const items = `${origin}/items`
  const fields = {
    articles: [
      '',
      '*',
      'id,title',
      'id,title,author',
      'title',
      'id,title,author.id,author.name',
      'id,title,author.name',
      '*,author.*',
      'id,title,tags.tags_id.name',
      'id,title,tags.id,tags.tags_id.id,tags.tags_id.name',
      'id,links',
      'id,author.id,author.employer.id,author.employer.name',
      'id,author.id,author.employer.name',
      '*.*',
      'id,count(tags)',
      'id,title,cover.id,cover.title,cover.filesize',
      'id,title,cover',
      'id,cover.filesize',
    ],
    authors: [
      '',
      '*',
      'id,name',
      'name',
      'id,name,employer.id,employer.name',
      'id,name,articles.id,articles.title',
      'id,name,articles',
      'id,count(articles)',
    ],
    companies: ['', 'id,name', 'id,name,authors.id,authors.name'],
    tags: ['', 'id,name', 'id,name,articles.articles_id.id,articles.articles_id.title'],
    'blog-posts': ['', 'id,title'],
    files: ['', 'id,title,filesize', 'title'],
  }
  const orders = { articles: ['sort', '-title', 'author.name', '-sort'], authors: ['name', 'employer.name'] } as Record<
    string,
    string[]
  >
  const filters = {
    articles: [
      'filter[author][name][_eq]=author 2',
      `filter[author][_eq]=${key('authors', 2)}`,
      `filter={"author":{"employer":{"_eq":"${key('companies', 3)}"}}}`,
      'search=article',
      'filter[sort][_gt]=4',
      `filter[_or][0][slug][_eq]=article-1&filter[_or][1][author][_eq]=${key('authors', 3)}`,
    ],
    authors: [`filter[employer][_eq]=${key('companies', 2)}`, 'filter[articles][title][_contains]=1'],
  } as Record<string, string[]>
  const create = () => {
    const collection = pick(Object.keys(fields) as (keyof typeof fields)[])
    const kind = below(8)
    const params: string[] = []
    const asked = pick(fields[collection])
    if (asked !== '') params.push(`fields=${asked}`)
    const folder = collection === 'files' ? `${origin}/files` : `${items}/${collection}`
    if (kind < 3) return `${folder}/${key(collection)}?${params.join('&')}`
    const hasSlug = collection === 'articles' || collection === 'authors'
    if (kind === 3 && hasSlug)
      return `${items}/${collection}?filter[slug][_eq]=${collection.slice(0, -1)}-${pick(ids)}&${params.join('&')}`
    if (kind === 4 && filters[collection]) params.push(pick(filters[collection]))
    if (kind === 5 && orders[collection]) params.push(`sort=${pick(orders[collection])}`)
    if (kind === 6) params.push(`limit=${1 + below(4)}`)
    if (kind === 7 && below(3) === 0) return `${folder}?aggregate[count]=*`
    return `${folder}?${params.join('&')}`
  }
  const urls = new Set([`${items}/settings`, `${items}/settings?fields=title`])
  while (urls.size < size) urls.add(create())
  return [...urls].map((url) => new URL(url).href)
}

/** Returns a function that edits an entry by chance, through the API, and returns a description of the edit. */
export function createDirectusEdits(send: Send, seed: number, keys: Keys): (index: number) => Promise<string> {
  const { below, pick } = createRandom(seed)
  const key = (collection: (typeof names)[number], id = pick(ids)) => keyOf(keys, collection, id)
  const added: string[] = []
  const patch = async (path: string, body: object) => {
    await send('PATCH', path, body).catch(ignoreMissing)
    return `${path} ${JSON.stringify(body)}`
  }
  const item = (collection: (typeof names)[number], body: object) =>
    patch(`/items/${collection}/${key(collection)}`, body)
  const edits: ((index: number) => Promise<string>)[] = [
    (index) => item('articles', { title: `article ${index}` }),
    (index) => item('articles', { title: `article ${index}` }),
    () => item('articles', { status: pick(['published', 'draft']) }),
    () => item('articles', { author: below(9) ? key('authors') : null }),
    () => item('articles', { slug: `article-${pick(ids)}` }),
    () => item('articles', { cover: below(9) ? key('files') : null }),
    () => item('authors', { name: `author ${below(4)}` }),
    () => item('authors', { employer: key('companies') }),
    (index) => item('authors', { articles: [{ id: key('articles'), title: `of ${index}` }] }),
    (index) => item('companies', { name: `company ${index}` }),
    (index) => item('tags', { name: `tag ${index}` }),
    (index) => item('blog-posts', { title: `post ${index}` }),
    (index) => patch('/items/settings', { menu: [{ label: `Home ${index}`, url: '/' }] }),
    (index) => patch(`/files/${key('files')}`, { title: `file ${index}` }),
    (index) => patch(`/files/${key('files')}`, createFile(undefined, `another file ${index}`)),
    async (index) => {
      await send('POST', '/files', createFile(undefined, `new file ${index}`))
      return 'a new file'
    },
    async () => {
      const body = { articles_id: key('articles'), tags_id: key('tags') }
      await send('POST', '/items/articles_tags', body).catch(ignoreMissing)
      return `a tag for an article ${JSON.stringify(body)}`
    },
    async (index) => {
      const body = { title: `new ${index}`, slug: `article-${pick(ids)}`, status: 'published', author: key('authors') }
      added.push((await send('POST', '/items/articles', body)).id)
      return `a new article ${JSON.stringify(body)}`
    },
    async () => {
      const id = added.pop()
      if (id !== undefined) await send('DELETE', `/items/articles/${id}`)
      return `deletes article ${id}`
    },
    async () => {
      await send('POST', '/utils/sort/articles', { item: key('articles'), to: key('articles') })
      return 'sorts articles'
    },
  ]
  return async (index) => `${index} ${await pick(edits)(index)}`
}

function ignoreMissing(error: Error) {
  if (!/: (?:400|403|404) /.test(error.message)) throw error
}
