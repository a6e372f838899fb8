import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, copyStandalone, type RunningSite, startDevelopment, startStandalone } from '../next-site/site.js'

// A site with ISR pages in `pages/`, beside the App Router's endpoint and one of its pages.

const error = 'Not revalidated: /, /posts/[slug], /posts/a of pages/'
const root = join(import.meta.dirname, '../..')

const versions: [string, string][] = [
  ['16', join(import.meta.dirname, 'built')],
  ['15', join(root, 'test/next15/built-pages')],
]

describe.each(versions)('Next.js %s', (_, folder) => {
  const sites: RunningSite[] = []
  let standalone = ''
  let production: RunningSite

  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await cp(join(import.meta.dirname, 'site'), folder, { recursive: true })
    // The API route of the guide.
    await cp(join(root, 'docs/snippets/next-pages'), join(folder, 'pages/api'), { recursive: true })
    for (const file of ['package.json', 'dist']) {
      await cp(join(root, file), join(folder, 'node_modules/sitewright', file), { recursive: true })
    }
    await mkdir(join(folder, 'public'))
    await buildSite(folder)
    standalone = await copyStandalone(folder)
    production = await startStandalone(standalone)
    sites.push(production)
  }, 480_000)

  afterAll(async () => {
    for (const site of sites) await site.close()
    if (standalone) await rm(standalone, { recursive: true, force: true })
  })

  const post = async (site: RunningSite, query = '', token = 'between-us') => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${site.url}/api/revalidate${query}`, { method: 'POST', headers })
    return [response.status, await response.json()]
  }
  const read = async (path: string) => /<p>(\d+)/.exec(await (await fetch(production.url + path)).text())?.[1]

  it('a purge of the App Router succeeds, and its page is new', async () => {
    const before = await read('/app-page')
    expect(await post(production, '?path=/app-page')).toEqual([200, { revalidated: true, tags: ['/app-page'] }])
    await expect.poll(() => read('/app-page')).not.toBe(before)
  })

  it('the response to a purge of all pages names the pages of pages/, which stay old, and so does the log', async () => {
    const before = await read('/')
    expect(await post(production)).toEqual([207, { error, revalidated: false }])
    expect(await read('/')).toBe(before)
    expect(production.output()).toContain(error)
    expect(production.output()).toContain('res.revalidate')
  })

  it.each([
    ['/', '/'],
    ['/posts/new', '/posts/[slug]'],
  ])('the response to a purge of the path %s says that %s is not revalidated', async (path, route) => {
    const body = { error: `Not revalidated: ${route} of pages/`, revalidated: false, tags: [path] }
    expect(await post(production, `?path=${path}`)).toEqual([207, body])
  })

  it('the API route of the guide revalidates pages of pages/, but not without the secret', async () => {
    const before = await read('/')
    expect((await post(production, '-pages', 'wrong'))[0]).toBe(401)
    expect(await read('/')).toBe(before)
    expect(await post(production, '-pages')).toEqual([200, { revalidated: true }])
    expect(await read('/')).not.toBe(before)
  })

  it('next dev responds the same, by the files of pages/', async () => {
    const site = await startDevelopment(folder)
    sites.push(site)
    const inDevelopment = { error: 'Not revalidated: /, /posts/[slug] of pages/', revalidated: false }
    expect(await post(site)).toEqual([207, inDevelopment])
    expect(await post(site, '?path=/app-page')).toEqual([200, { revalidated: true, tags: ['/app-page'] }])
  })
})
