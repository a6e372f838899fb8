import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect, startRedis } from '../../adapters/redis/testing/redis-server.js'
import { type RunningExample, startExample } from './start.js'

const secret = 'between-the-cms-and-us'

let folder: string
let about: string
let redis: Awaited<ReturnType<typeof startRedis>>
let instances: [RunningExample, RunningExample]

const start = (environment: Record<string, string> = {}) =>
  startExample('example-next', {
    SITE_FOLDER: folder,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    REVALIDATE_SECRET: secret,
    ...environment,
  })

/** Requests a page from an instance. */
async function visit({ url }: RunningExample, path = '/about') {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(20_000) })
  return { status: response.status, text: await response.text(), cache: response.headers.get('x-nextjs-cache') }
}

/** Requests a page until it comes from Redis: Next.js stores what it rendered after it has answered. */
const untilStored = (instance: RunningExample, path?: string) =>
  vi.waitFor(async () => expect(await visit(instance, path)).toMatchObject({ status: 200, cache: 'HIT' }), 20_000)

/** Sends the webhook that the CMS sends after an editor has published. */
async function revalidate({ url }: RunningExample) {
  const headers = { Authorization: `Bearer ${secret}` }
  const signal = AbortSignal.timeout(20_000)
  const response = await fetch(`${url}/api/revalidate`, { method: 'POST', headers, signal })
  return [response.status, await response.json()]
}

let edition = 0
/** Changes the page, and returns its new title. */
async function edit() {
  const sentence = `This is edition ${++edition}.`
  await writeFile(join(folder, 'content', 'en', 'about.md'), `${about}\n\n${sentence}\n`)
  return sentence
}

function inAnyOrder(): [RunningExample, RunningExample] {
  const [a, b] = instances
  return Math.random() < 0.5 ? [a, b] : [b, a]
}

const revalidated = [200, { revalidated: true }]
const failed = [503, { error: 'Revalidation failed', revalidated: false }]

beforeAll(async () => {
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'sitewright-site-'))
  for (const part of ['content', 'media', 'public']) {
    await cp(new URL(`../../examples/site/${part}`, import.meta.url), join(folder, part), { recursive: true })
  }
  about = await readFile(join(folder, 'content', 'en', 'about.md'), 'utf8')
})

afterAll(async () => {
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('two instances of the Next.js example on one Redis, with { expire: 0 }', () => {
  beforeAll(async () => {
    instances = await Promise.all([start({ REVALIDATE_EXPIRE: '0' }), start({ REVALIDATE_EXPIRE: '0' })])
    for (const instance of instances) await visit(instance)
  }, 240_000)
  afterAll(() => Promise.all((instances ?? []).map((instance) => instance.close())))

  it('two instances share the pages that they render', async () => {
    const [a, b] = instances
    const firstVisits: (string | null)[] = []
    for (const path of ['/articles', '/de', '/articles/house-cat', '/articles/black-canyon']) {
      await untilStored(a, path)
      firstVisits.push((await visit(b, path)).cache)
    }
    // Not all of them, since on a busy machine Redis may answer later than the cache waits.
    expect(firstVisits).toContain('HIT')
  }, 120_000)

  it('after a purge, no instance serves an older page', async () => {
    for (let round = 0; round < 8; round++) {
      const order = inAnyOrder()
      const sentence = await edit()
      expect(await revalidate(inAnyOrder()[0])).toEqual(revalidated)
      for (const instance of order) {
        const { status, text } = await visit(instance)
        expect([round, status, text.includes(sentence)]).toEqual([round, 200, true])
      }
      await untilStored(order[0])
    }
  }, 120_000)

  it('an entry of another build is not served', async () => {
    const { client, close } = await connect('redis', redis.port)
    const [a] = instances
    await untilStored(a, '/de/ueber-uns')
    const pages = (await client.keys('sitewright:entry:next:*APP_PAGE*')) as string[]
    expect(pages.length).toBeGreaterThan(0)
    // As if the instance that rendered the page ran another build.
    for (const name of pages) await client.rename(name, name.replace(/next:[^:]+:/, 'next:another-build:'))
    expect(await visit(a, '/de/ueber-uns')).toMatchObject({ status: 200, cache: 'MISS' })
    close()
  })

  it('without Redis, pages are rendered and a purge is rejected; with an empty Redis, both work again', async () => {
    await redis.kill()
    const sentence = await edit()
    for (const instance of instances) {
      expect(await revalidate(instance)).toEqual(failed)
      expect((await visit(instance)).text).toContain(sentence)
      expect((await visit(instance, '/articles')).status).toBe(200)
    }
    await redis.empty()
    await redis.start()
    const newTitle = await edit()
    await expect.poll(() => revalidate(instances[0]), { timeout: 20_000, interval: 250 }).toEqual(revalidated)
    for (const instance of instances) {
      await expect.poll(() => visit(instance), { timeout: 20_000, interval: 250 }).toMatchObject({ cache: 'HIT' })
      expect((await visit(instance)).text).toContain(newTitle)
    }
  }, 120_000)
})

describe('two instances of the Next.js example on one Redis, with the profile max', () => {
  beforeAll(async () => {
    instances = await Promise.all([start(), start()])
    for (const instance of instances) await untilStored(instance)
  }, 240_000)
  afterAll(() => Promise.all((instances ?? []).map((instance) => instance.close())))

  it('the old page is served as stale while the new one renders, and never as fresh', async () => {
    for (let round = 0; round < 3; round++) {
      const sentence = await edit()
      const [a, b] = inAnyOrder()
      expect(await revalidate(a)).toEqual(revalidated)
      expect(await visit(b)).toMatchObject({ status: 200, cache: 'STALE' })
      await expect.poll(() => visit(b), { timeout: 20_000 }).toMatchObject({ cache: 'HIT' })
      expect((await visit(a)).text).toContain(sentence)
    }
  }, 120_000)

  it('if the page cannot be rendered again, the old page stays, and the render is tried again', async () => {
    const [a, b] = instances
    await untilStored(b)
    const { text } = await visit(b)
    const broken = join(folder, 'content', 'en', 'site.yaml')
    const site = await readFile(broken, 'utf8')
    await rm(broken)
    expect(await revalidate(a)).toEqual(revalidated)
    expect(await visit(b)).toMatchObject({ status: 200, cache: 'STALE', text })
    await expect.poll(() => b.output() + a.output(), { timeout: 20_000 }).toContain('site.yaml')
    expect(await visit(a)).toMatchObject({ status: 200, text })
    await writeFile(broken, site)
    const sentence = await edit()
    expect(await revalidate(a)).toEqual(revalidated)
    await expect.poll(async () => (await visit(b)).text, { timeout: 20_000, interval: 250 }).toContain(sentence)
  }, 120_000)
})
