import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { buildSite, startSite } from './next.js'

// A site whose build reaches Redis. Its client has no queue, so it rejects commands until it is connected.

const app = import.meta.dirname
const pages = ['/', '/about', '/contact', '/data']

let redis: Awaited<ReturnType<typeof startRedis>>
let client: ReturnType<typeof createClient>
let folder: string
let environment: Record<'REDIS_URL' | 'RENDERS' | 'TEXT_FILE', string>
const sites: Awaited<ReturnType<typeof startSite>>[] = []

/** Replaces the text atomically: a concurrent render reads either the old or the new text. */
const write = async (text: string) => {
  await writeFile(`${environment.TEXT_FILE}.new`, text)
  await rename(`${environment.TEXT_FILE}.new`, environment.TEXT_FILE)
}
const renders = async () => (await readFile(environment.RENDERS, 'utf8')).split('\n').filter(Boolean).sort()
/** The text of a page or route. */
const readText = async (url: string) => {
  const text = await (await fetch(url)).text()
  return /<p>([^<]*)/.exec(text)?.[1] ?? text
}
/** The pages in the store: the ends of their keys. */
const stored = async (pattern: string) => {
  const keys = await client.keys(`sitewright:entry:*/$${pattern}`)
  return keys.map((key) => key.slice(key.indexOf('/$/') + 2)).sort()
}
const stampFile = join(app, '.next/server/app/sitewright-stamp.json')
async function start() {
  const site = await startSite(app, environment)
  sites.push(site)
  return site.url
}

beforeAll(async () => {
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
  environment = {
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    RENDERS: join(folder, 'renders'),
    TEXT_FILE: join(folder, 'text'),
  }
  client = await createClient({ url: environment.REDIS_URL }).connect()
  await write('first')
  // On a busy machine Next.js may begin to render before Redis has answered once. Then the build has no stamp, and its
  // pages are rendered again, which is safe and not what is tested here.
  let builds = 0
  do await buildSite(app, environment)
  while (!existsSync(stampFile) && ++builds < 3)
}, 480_000)

beforeEach(() => writeFile(environment.RENDERS, ''))

afterAll(async () => {
  for (const site of sites) await site.close()
  await client?.close()
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('a prerendered page is served and stored from the first request on, and not rendered again', async () => {
  await write('not published')
  const url = await start()
  for (const page of pages) expect(await readText(`${url}${page}`)).toBe('first')
  expect(await renders()).toEqual([])
  expect(await stored('/*')).toEqual(['/about', '/contact', '/data', '/index'])
}, 120_000)

it('a prerendered page whose tag was purged is rendered again, even on an instance that starts later with an empty store', async () => {
  const [first] = sites
  await write('second')
  await fetch(`${first?.url}/tags`, { method: 'POST', body: 'about' })
  await expect.poll(() => readText(`${first?.url}/about`), { timeout: 20_000 }).toBe('second')
  for (const key of await client.keys('sitewright:entry:*')) await client.del(key)
  await writeFile(environment.RENDERS, '')
  const url = await start()
  expect(await Promise.all(pages.map((page) => readText(`${url}${page}`)))).toEqual([
    'first',
    'second',
    'first',
    'first',
  ])
  expect(await renders()).toEqual(['about'])
}, 120_000)

it('not-found pages are kept for a minute', async () => {
  const { url = '' } = sites[0] ?? {}
  for (let visit = 0; visit < 2; visit++) expect((await fetch(`${url}/missing`)).status).toBe(404)
  const [key = ''] = await client.keys('sitewright:entry:*/$/missing')
  const ttl = await client.pTTL(key)
  expect(ttl).toBeGreaterThan(0)
  expect(ttl).toBeLessThanOrEqual(60_000)
  expect((await renders()).filter((page) => page === 'missing')).toHaveLength(1)
})

it('a page that was removed is not found after a soft purge', async () => {
  const { url = '' } = sites[0] ?? {}
  const about = async () => (await fetch(`${url}/about`)).status
  expect(await about()).toBe(200)
  await write('removed')
  await fetch(`${url}/tags?profile=max`, { method: 'POST', body: 'about' })
  await expect.poll(about, { timeout: 20_000 }).toBe(404)
})

it('a page whose function throws after a soft purge is rendered again later', async () => {
  const { url = '' } = sites[0] ?? {}
  // The data is stored as well, once the page was rendered.
  await write('second')
  await fetch(`${url}/tags`, { method: 'POST', body: 'contact' })
  await expect.poll(() => readText(`${url}/contact`), { timeout: 20_000 }).toBe('second')
  await rm(environment.TEXT_FILE)
  await fetch(`${url}/tags?profile=max`, { method: 'POST', body: 'contact' })
  // The old page is served once more, and its render fails. Next.js keeps it for three seconds, and tries again.
  expect(await readText(`${url}/contact`)).toBe('second')
  await write('third')
  await expect.poll(() => readText(`${url}/contact`), { timeout: 20_000, interval: 500 }).toBe('third')
})

it('the stamp of the build lies where output: standalone copies it', () => {
  expect(existsSync(stampFile)).toBe(true)
})
