import { join } from 'node:path'
import { createRandom } from '../../core/content/testing/graph.js'
import { freePort } from '../setup/free-port.js'
import { createRun, installOnce, run, startServer } from './install.js'
import { authorization, marker } from './site.js'

const token = 'between-us-and-directus'
const collections = ['companies', 'authors', 'articles', 'tags', 'articles_tags', 'blog-posts', 'settings', marker]

/** Starts a Directus with entries and a flow of the type "Action" that sends its events to `hook`. */
export async function startDirectus(hook: string) {
  const folder = await installOnce('directus-11.3.5', ['directus@11.3.5', 'sqlite3@5.1.7'])
  const cwd = await createRun(folder)
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: join(cwd, 'data.db'), SECRET: 'a'.repeat(32), TELEMETRY: 'false' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'password', ADMIN_TOKEN: token, LOG_LEVEL: 'error' },
    ...{ HOST: '127.0.0.1', PORT: port, PUBLIC_URL: url, EXTENSIONS_PATH: cwd, STORAGE_LOCAL_ROOT: cwd },
    // By default, flows may send nothing to this machine.
    ...{ IMPORT_IP_DENY_LIST: '169.254.169.254', WEBSOCKETS_ENABLED: 'false', NODE_ENV: 'production' },
  }
  // The package `directus` first asks its registry for a newer version.
  const cli = join(folder, 'node_modules/@directus/api/dist/cli/run.js')
  await run([cli, 'bootstrap'], cwd, env)
  const close = await startServer([cli, 'start'], cwd, env, `${url}/server/ping`)

  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text).data
  }
  await createSchema(send)
  await createFlow(send, hook)
  return { url, send, close }
}

export type Send = Awaited<ReturnType<typeof startDirectus>>['send']

async function createSchema(send: Send) {
  const text = (field: string) => ({ field, type: 'string', schema: {} })
  const integer = (field: string, special?: string[]) => ({ field, type: 'integer', schema: {}, meta: { special } })
  const collection = (name: string, fields: object[], meta = {}) =>
    send('POST', '/collections', {
      collection: name,
      schema: {},
      meta,
      fields: [{ field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }, ...fields],
    })
  await collection('companies', [text('name')])
  await collection('authors', [text('name'), text('slug'), integer('employer')])
  await collection(
    'articles',
    [
      text('title'),
      text('slug'),
      text('status'),
      integer('sort'),
      integer('author'),
      { field: 'links', type: 'json', schema: {} },
    ],
    { sort_field: 'sort' },
  )
  await collection('tags', [text('name')])
  await collection('articles_tags', [integer('articles_id'), integer('tags_id')])
  await collection('blog-posts', [text('title')])
  await collection('settings', [text('title'), { field: 'menu', type: 'json', schema: {} }], { singleton: true })
  await collection(marker, [text('title')])
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
  const scope = ['items.create', 'items.update', 'items.delete', 'items.sort']
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

const count = 8
const ids = Array.from({ length: count }, (_, index) => index + 1)

export async function seedDirectus(send: Send, seed: number) {
  const { below, pick } = createRandom(seed)
  await send(
    'POST',
    '/items/companies',
    ids.map((id) => ({ name: `company ${id}` })),
  )
  await send(
    'POST',
    '/items/authors',
    ids.map((id) => ({ name: `author ${id}`, slug: `author-${id}`, employer: pick(ids) })),
  )
  await send(
    'POST',
    '/items/tags',
    ids.map((id) => ({ name: `tag ${id}` })),
  )
  await send(
    'POST',
    '/items/articles',
    ids.map((id) => ({
      ...{ title: `article ${id}`, slug: `article-${id}`, status: below(4) ? 'published' : 'draft', sort: id },
      ...{ author: pick(ids), links: [{ label: 'a' }] },
    })),
  )
  for (const id of ids) await send('POST', '/items/articles_tags', { articles_id: id, tags_id: pick(ids) })
  await send(
    'POST',
    '/items/blog-posts',
    ids.map((id) => ({ title: `post ${id}` })),
  )
  await send('PATCH', '/items/settings', { title: 'site', menu: [{ label: 'Home', url: '/' }] })
}

/** Returns queries as people write them, by chance: with and without the ids of related entries. */
export function directusQueries(origin: string, seed: number, size: number): string[] {
  const { below, pick } = createRandom(seed)
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
  }
  const orders = { articles: ['sort', '-title', 'author.name', '-sort'], authors: ['name', 'employer.name'] } as Record<
    string,
    string[]
  >
  const filters = {
    articles: [
      'filter[author][name][_eq]=author 2',
      'filter[author][_eq]=2',
      'filter={"author":{"employer":{"_eq":3}}}',
      'search=article',
      'filter[sort][_gt]=4',
      'filter[_or][0][slug][_eq]=article-1&filter[_or][1][author][_eq]=3',
    ],
    authors: ['filter[employer][_eq]=2', 'filter[articles][title][_contains]=1'],
  } as Record<string, string[]>
  const create = () => {
    const collection = pick(Object.keys(fields) as (keyof typeof fields)[])
    const kind = below(8)
    const params: string[] = []
    const asked = pick(fields[collection])
    if (asked !== '') params.push(`fields=${asked}`)
    if (kind < 3) return `${items}/${collection}/${pick(ids)}?${params.join('&')}`
    const hasSlug = collection === 'articles' || collection === 'authors'
    if (kind === 3 && hasSlug)
      return `${items}/${collection}?filter[slug][_eq]=${collection.slice(0, -1)}-${pick(ids)}&${params.join('&')}`
    if (kind === 4 && filters[collection]) params.push(pick(filters[collection]))
    if (kind === 5 && orders[collection]) params.push(`sort=${pick(orders[collection])}`)
    if (kind === 6) params.push(`limit=${1 + below(4)}`)
    if (kind === 7 && below(3) === 0) return `${items}/${collection}?aggregate[count]=*`
    return `${items}/${collection}?${params.join('&')}`
  }
  const urls = new Set([`${items}/settings`, `${items}/settings?fields=title`])
  while (urls.size < size) urls.add(create())
  return [...urls].map((url) => new URL(url).href)
}

/** Edits an entry by chance, through the API, and returns what it did. */
export async function editDirectus(
  send: Send,
  random: ReturnType<typeof createRandom>,
  index: number,
): Promise<string> {
  const { below, pick } = random
  const id = pick(ids)
  const patch = async (collection: string, body: object, key: number | string = id) => {
    await send('PATCH', `/items/${collection}/${key}`, body).catch(ignoreMissing)
    return `${index} ${collection} ${key} ${JSON.stringify(body)}`
  }
  switch (below(16)) {
    case 0:
    case 1:
      return patch('articles', { title: `article ${index}` })
    case 2:
      return patch('articles', { status: pick(['published', 'draft']) })
    case 3:
      return patch('articles', { author: pick([...ids, null]) })
    case 4:
      return patch('articles', { slug: `article-${pick(ids)}` })
    case 5:
      return patch('authors', { name: `author ${below(4)}` })
    case 6:
      return patch('authors', { employer: pick(ids) })
    case 7:
      return patch('companies', { name: `company ${index}` })
    case 8:
      return patch('tags', { name: `tag ${index}` })
    case 9:
      await send('POST', '/items/articles_tags', { articles_id: id, tags_id: pick(ids) }).catch(ignoreMissing)
      return `${index} a tag for article ${id}`
    case 10:
      await send('POST', '/items/articles', {
        title: `new ${index}`,
        slug: `article-${id}`,
        status: 'published',
        author: pick(ids),
      })
      return `${index} a new article`
    case 11: {
      const [newest] = await send('GET', '/items/articles?sort=-id&limit=1&fields=id')
      if (newest.id > count) await send('DELETE', `/items/articles/${newest.id}`)
      return `${index} deletes article ${newest.id}`
    }
    case 12:
      return patch('authors', { articles: [{ id: pick(ids), title: `of ${index}` }] })
    case 13:
      return patch('settings', { menu: [{ label: `Home ${index}`, url: '/' }] }, '')
    case 14:
      return patch('blog-posts', { title: `post ${index}` })
    default:
      await send('POST', '/utils/sort/articles', { item: id, to: pick(ids) })
      return `${index} sorts articles`
  }
}

function ignoreMissing(error: Error) {
  if (!/: (?:400|403|404) /.test(error.message)) throw error
}
