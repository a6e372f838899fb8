import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type RunningSite, startBuilt } from '../next-site/site.js'
import { addPackage, configure, writePagesSite } from './pages-site.js'

// Two instances of the site with `pages/` alone, whose cache handler has a store and a tag index that they share.

const versions: [string, string][] = [
  ['16', join(import.meta.dirname, 'built-cached')],
  ['15', join(import.meta.dirname, '../next15/built-pages-cached')],
]

describe.each(versions)('Next.js %s', (_, folder) => {
  const sites: RunningSite[] = []
  let directory = ''
  const textFile = join(folder, '.next/text')
  const write = (text: string) => writeFile(textFile, text)

  beforeAll(async () => {
    await writePagesSite(folder)
    await addPackage(folder)
    await cp(join(import.meta.dirname, 'cached'), folder, { recursive: true })
    await configure(folder, `cacheHandler: ${JSON.stringify(join(folder, 'cache-handler.mjs'))}`)
    await configure(folder, 'cacheMaxMemorySize: 0')
    await buildSite(folder)
    await write('first')
    directory = await mkdtemp(join(tmpdir(), 'sitewright-pages-'))
    const environment = { TEXT_FILE: textFile, CACHE_DIRECTORY: directory }
    for (let instance = 0; instance < 2; instance++) sites.push(await startBuilt(folder, environment))
  }, 480_000)

  afterAll(async () => {
    for (const site of sites) await site.close()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const visit = (instance: number, path: string, init?: RequestInit) =>
    fetch(`${sites[instance]?.url}/shop${path}`, { signal: AbortSignal.timeout(30_000), ...init })
  const read = async (instance: number, path: string) => {
    const response = await visit(instance, path)
    const html = await response.text()
    return response.status === 200 ? /<p>([^<]*)/.exec(html)?.[1] : response.status
  }
  const post = async (path: string) => {
    const init = { method: 'POST', headers: { Authorization: 'Bearer between-us' } }
    const response = await visit(0, path, init)
    return [response.status, await response.json()]
  }
  const pages = ['/', '/de/', '/posts/a/', '/de/posts/a/', '/posts/gr%C3%B6%C3%9Fe/']
  const names = ['en', 'de', 'en a', 'de a', 'en größe']
  const readAll = (instance: number) => Promise.all(pages.map((page) => read(instance, page)))
  const all = (text: string) => names.map((name) => `${name} ${text}`)

  it('a page is kept, and shared by the instances', async () => {
    expect(await readAll(0)).toEqual(all('first'))
    await write('second')
    expect(await readAll(0)).toEqual(all('first'))
    expect(await readAll(1)).toEqual(all('first'))
  })

  it('a purge of the tag `document` reaches all pages of both instances, without a list of paths', async () => {
    expect(await post('/api/purge/')).toEqual([200, { revalidated: true }])
    expect(await readAll(1)).toEqual(all('second'))
    expect(await readAll(0)).toEqual(all('second'))
  })

  it.each([
    ['/', 0],
    ['/de', 1],
    ['/posts/a', 2],
    ['/de/posts/a', 3],
    ['/posts/größe', 4],
  ])('a purge of the path %s reaches that page alone', async (path, changed) => {
    const before = await readAll(1)
    await write(`purged ${path}`)
    expect((await post(`/api/purge/?path=${encodeURIComponent(path)}`))[0]).toBe(200)
    const after = before.map((text, index) => (index === changed ? `${names[index]} purged ${path}` : text))
    expect(await readAll(1)).toEqual(after)
    expect(await readAll(0)).toEqual(after)
  })

  it('a page that is published is found after a purge', async () => {
    await write('deleted')
    expect(await read(1, '/posts/later/')).toBe(404)
    await write('published')
    expect(await read(0, '/posts/later/')).toBe(404)
    expect((await post('/api/purge/?path=/posts/later'))[0]).toBe(200)
    expect(await read(0, '/posts/later/')).toBe('en later published')
    expect(await read(1, '/posts/later/')).toBe('en later published')
  })

  it('res.revalidate makes a page new in both instances', async () => {
    await write('third')
    expect((await post('/api/revalidate/'))[0]).toBe(200)
    expect((await readAll(1)).slice(0, 4)).toEqual(all('third').slice(0, 4))
  })

  it('a page that was not found during the build stays so after a purge, until res.revalidate', async () => {
    await write('fourth')
    expect((await post('/api/purge/'))[0]).toBe(200)
    expect([await read(0, '/drafts/a/'), await read(1, '/drafts/a/')]).toEqual([404, 404])
    expect((await post('/api/revalidate/?path=/drafts/a'))[0]).toBe(200)
    expect([await read(0, '/drafts/a/'), await read(1, '/drafts/a/')]).toEqual(['fourth', 'fourth'])
  })

  it('nothing is logged', () => {
    for (const site of sites) expect(site.output()).not.toContain('Next.js cache')
  })
})
