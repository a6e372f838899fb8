import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createRandom } from '../../core/content/testing/graph.js'
import { freePort } from '../setup/free-port.js'
import { createRun, installOnce, startServer } from './install.js'
import { authorization, marker } from './site.js'

const version = '5.54.0'

/** Starts a Strapi with content types and a webhook that sends all events of entries to `hook`. */
export async function startStrapi(hook: string) {
  const names = ['@strapi/strapi', '@strapi/plugin-users-permissions']
  const packages = names.map((name) => `${name}@${version}`)
  const folder = await installOnce(`strapi-${version}`, [...packages, 'better-sqlite3@12.4.1'])
  const cwd = await createRun(folder)
  for (const [path, text] of Object.entries(createFiles(names))) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    await writeFile(join(cwd, path), text)
  }
  await mkdir(join(cwd, 'public/uploads'), { recursive: true })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/api`
  const env = {
    ...{ PORT: port, HOOK: hook, AUTHORIZATION: authorization, DATABASE: join(cwd, 'data.db') },
    ...{ STRAPI_TELEMETRY_DISABLED: 'true', NODE_ENV: 'production' },
  }
  const close = await startServer([join(import.meta.dirname, 'strapi-app.js')], cwd, env, `${url}/articles`)
  const send = async (method: string, path: string, data?: object) => {
    const isForm = data instanceof FormData
    // On a busy machine, the server ends a kept connection between two edits.
    const headers = { Connection: 'close', ...(!isForm && { 'Content-Type': 'application/json' }) }
    const body = isForm ? data : JSON.stringify({ data })
    const response = await fetch(`${url}/${path}`, { method, headers, ...(data && { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    if (text === '') return undefined
    const json = JSON.parse(text)
    return json.data ?? json
  }
  return { url, send, close }
}

type Send = Awaited<ReturnType<typeof startStrapi>>['send']

function createFiles(names: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'app',
      dependencies: Object.fromEntries(names.map((name) => [name, version])),
    }),
    'config/database.js':
      "module.exports = () => ({ connection: { client: 'sqlite', connection: { filename: process.env.DATABASE }, useNullAsDefault: true } })",
    'config/server.js':
      "module.exports = () => ({ host: '127.0.0.1', port: Number(process.env.PORT), app: { keys: ['between', 'us'] } })",
    'config/admin.js':
      "module.exports = () => ({ auth: { secret: 'between-us-and-strapi' }, apiToken: { salt: 'salt' }, transfer: { token: { salt: 'salt' } }, serveAdminPanel: false })",
    'config/plugins.js':
      "module.exports = () => ({ 'users-permissions': { config: { jwtSecret: 'between-us-and-strapi' } } })",
    'config/middlewares.js': `module.exports = ${JSON.stringify(
      ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public'].map((name) => `strapi::${name}`),
    )}`,
    'src/index.js': 'module.exports = { register() {}, bootstrap() {} }',
    'src/components/shared/teaser.json': JSON.stringify({
      collectionName: 'components_shared_teasers',
      info: { displayName: 'teaser' },
      attributes: { label: { type: 'string' } },
    }),
  }
  const string = { type: 'string' }
  const relation = (kind: string, target: string, side?: object) => {
    return { type: 'relation', relation: kind, target: `api::${target}.${target}`, ...side }
  }
  const add = (singularName: string, pluralName: string, draftAndPublish: boolean, attributes: object) => {
    const folder = `src/api/${singularName}`
    const info = { singularName, pluralName, displayName: singularName }
    const schema = {
      kind: 'collectionType',
      collectionName: pluralName,
      info,
      options: { draftAndPublish },
      attributes,
    }
    files[`${folder}/content-types/${singularName}/schema.json`] = JSON.stringify(schema)
    for (const [kind, create] of [
      ['controllers', 'createCoreController'],
      ['services', 'createCoreService'],
      ['routes', 'createCoreRouter'],
    ]) {
      files[`${folder}/${kind}/${singularName}.js`] =
        `module.exports = require('@strapi/strapi').factories.${create}('api::${singularName}.${singularName}')`
    }
  }
  add('article', 'articles', true, {
    ...{ title: string, slug: string, rank: { type: 'integer' }, body: { type: 'blocks' } },
    author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
    tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
    review: relation('oneToOne', 'review', { mappedBy: 'article' }),
    cover: { type: 'media', multiple: false, allowedTypes: ['files'] },
    seo: { type: 'component', component: 'shared.teaser' },
    blocks: { type: 'dynamiczone', components: ['shared.teaser'] },
  })
  add('author', 'authors', true, {
    ...{ name: string, slug: string },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
    employer: relation('manyToOne', 'company', { inversedBy: 'authors' }),
  })
  add('company', 'companies', false, {
    name: string,
    authors: relation('oneToMany', 'author', { mappedBy: 'employer' }),
  })
  add('tag', 'tags', false, { name: string, articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) })
  add('review', 'reviews', true, { name: string, article: relation('oneToOne', 'article', { inversedBy: 'review' }) })
  // Its plural is none that the name of the model has.
  add('person', 'people', false, { name: string })
  add(marker, `${marker}s`, false, { name: string })
  return files
}

type Type = 'articles' | 'authors' | 'companies' | 'tags' | 'reviews' | 'people'
// Files have numbers in URLs.
export type Ids = Record<Type, string[]> & { files: number[] }

function createFile(text: string, caption = text): FormData {
  const form = new FormData()
  form.set('files', new Blob([text], { type: 'text/plain' }), 'a.txt')
  form.set('fileInfo', JSON.stringify({ caption }))
  return form
}

export async function seedStrapi(send: Send, seed: number): Promise<Ids> {
  const { pick } = createRandom(seed)
  const create = async (type: Type, of: (index: number) => object) => {
    const ids: string[] = []
    for (let index = 1; index <= 8; index++) ids.push((await send('POST', type, of(index))).documentId)
    return ids
  }
  const files: number[] = []
  for (let index = 1; index <= 4; index++) files.push((await send('POST', 'upload', createFile(`${index}`)))[0].id)
  const companies = await create('companies', (index) => ({ name: `company ${index}` }))
  const tags = await create('tags', (index) => ({ name: `tag ${index}` }))
  const people = await create('people', (index) => ({ name: `person ${index}` }))
  const authors = await create('authors', (index) => {
    return { name: `author ${index}`, slug: `author-${index}`, employer: pick(companies) }
  })
  const text = [{ type: 'paragraph', children: [{ type: 'text', text: 'a' }] }]
  const articles = await create('articles', (index) => ({
    ...{ title: `article ${index}`, slug: `article-${index}`, rank: index, author: pick(authors), tags: [pick(tags)] },
    ...{ cover: pick(files), body: text, seo: { label: 'a' }, blocks: [{ __component: 'shared.teaser', label: 'b' }] },
  }))
  const reviews = await create('reviews', (index) => ({ name: `review ${index}` }))
  return { articles, authors, companies, tags, reviews, people, files }
}

/** Returns queries as people write them, by chance. */
export function strapiQueries(origin: string, ids: Ids, seed: number, size: number): string[] {
  const { below, pick } = createRandom(seed)
  const populates: Record<Type, string[]> = {
    articles: [
      '',
      'populate=*',
      'populate=author',
      'populate[author][fields][0]=name',
      'populate[author][populate][employer]=true',
      'populate=tags',
      'populate=review',
      'fields[0]=title',
      'populate[0]=author&populate[1]=tags',
      'populate=author.employer',
      'populate=seo&populate=blocks',
      'populate=cover',
      'populate[cover][fields][0]=caption&populate[author]=true',
    ],
    authors: [
      '',
      'populate=*',
      'populate=articles',
      'populate[articles][count]=true',
      'populate[articles][populate][0]=tags',
      'populate=employer',
      'populate[articles][filters][rank][$gt]=3&populate[articles][sort]=title',
    ],
    companies: [
      '',
      'populate=authors',
      'populate[authors][populate][articles][fields][0]=title',
      'populate[authors][count]=true',
    ],
    tags: ['', 'populate=articles', 'populate[articles][populate][author][fields][0]=name'],
    reviews: ['', 'populate=article'],
    people: [''],
  }
  const filters: Partial<Record<Type, string[]>> = {
    articles: [
      'filters[author][name][$eq]=author 2',
      `filters[author][documentId][$eq]=${ids.authors[1]}`,
      'filters[rank][$gt]=4',
      'filters[tags][name][$contains]=3',
      'filters[$or][0][slug][$eq]=article-1&filters[$or][1][author][slug][$eq]=author-2',
    ],
    authors: ['filters[employer][name][$eq]=company 2', 'filters[articles][title][$contains]=1'],
  }
  const sorts: Partial<Record<Type, string[]>> = {
    articles: ['rank', 'title:desc', 'author.name'],
    authors: ['name', 'employer.name:desc'],
  }
  const create = () => {
    const type = pick(Object.keys(populates) as Type[])
    const params = [pick(populates[type])]
    const kind = below(8)
    if (kind < 3) return `${origin}/${type}/${pick(ids[type])}?${params}`
    const hasSlug = type === 'articles' || type === 'authors'
    if (kind === 3 && hasSlug) params.push(`filters[slug][$eq]=${type.slice(0, -1)}-${1 + below(8)}`)
    if (kind === 4) params.push(pick(filters[type] ?? ['']))
    if (kind === 5) params.push(`sort=${pick(sorts[type] ?? ['name'])}`)
    if (kind === 6) params.push(`pagination[pageSize]=${1 + below(4)}`)
    return `${origin}/${type}?${params.filter((param) => param !== '').join('&')}`
  }
  const urls = new Set([`${origin}/upload/files`, `${origin}/upload/files/${ids.files[0]}`])
  while (urls.size < size) urls.add(new URL(create()).href)
  return [...urls]
}

/** Edits an entry by chance, through the API, and returns what it did. */
export async function editStrapi(send: Send, ids: Ids, random: ReturnType<typeof createRandom>, index: number) {
  const { below, pick } = random
  const put = async (type: Type, data: object) => {
    const id = pick(ids[type])
    await send('PUT', `${type}/${id}`, data)
    return `${index} ${type} ${id} ${JSON.stringify(data)}`
  }
  switch (below(18)) {
    case 0:
    case 1:
      return put('articles', { title: `article ${index}` })
    case 2:
      return put('articles', { author: pick([...ids.authors, null]) })
    case 3:
      return put('articles', { tags: [pick(ids.tags), pick(ids.tags)] })
    case 4:
      return put('articles', { slug: `article-${1 + below(8)}` })
    case 5:
      return put('authors', { name: `author ${below(4)}` })
    case 6:
      return put('authors', { employer: pick(ids.companies) })
    case 7:
      return put('authors', { articles: [pick(ids.articles), pick(ids.articles)] })
    case 8:
      return put('companies', { name: `company ${below(4)}` })
    case 9:
      return put('tags', { name: `tag ${index}` })
    case 10:
      return put('reviews', { article: pick([...ids.articles, null]), name: `review ${index}` })
    case 11:
      return put('people', { name: `person ${index}` })
    case 12: {
      const data = { title: `new ${index}`, slug: `article-${1 + below(8)}`, author: pick(ids.authors), rank: below(9) }
      await send('POST', 'articles', data)
      return `${index} a new article`
    }
    case 13: {
      const [newest] = await send('GET', 'articles?sort=createdAt:desc&pagination[pageSize]=1')
      if (!ids.articles.includes(newest.documentId)) await send('DELETE', `articles/${newest.documentId}`)
      return `${index} deletes article ${newest.documentId}`
    }
    case 14:
      return put('articles', { cover: pick([...ids.files, null]) })
    case 15: {
      const form = new FormData()
      form.set('fileInfo', JSON.stringify({ caption: `caption ${index}` }))
      await send('POST', `upload?id=${pick(ids.files)}`, form)
      return `${index} a new caption`
    }
    case 16:
      await send('POST', `upload?id=${pick(ids.files)}`, createFile(`another ${index}`))
      return `${index} another file in its place`
    default:
      return put('articles', { rank: below(9), seo: { label: `${index}` } })
  }
}
