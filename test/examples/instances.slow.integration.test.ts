import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { ask, type Received, type Sent } from './ask.js'
import { copySite } from './site-folder.js'
import { type RunningExample, startExample } from './start.js'

const secret = 'between-the-cms-and-us'
let folder: string
let about: string
let original: string
let redis: Awaited<ReturnType<typeof startRedis>>
const instances: RunningExample[] = []

beforeAll(async () => {
  redis = await startRedis()
  folder = await copySite()
  about = join(folder, 'content/en/about.md')
  original = await readFile(about, 'utf8')
  const env = {
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    REVALIDATE_SECRET: secret,
    SITE_FOLDER: folder,
    SITE_URL: 'http://site.test',
  }
  for (const name of ['vite-hono', 'vite-hono', 'vite-express']) instances.push(await startExample(name, env))
}, 120_000)

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.close()))
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Sends a request as a load balancer does: every instance gets the same Host. */
function get(instance: RunningExample, path = '/about', sent: Sent = {}): Promise<Received> {
  return ask(instance.url, path, { ...sent, headers: { ...sent.headers, Host: 'site.test' } })
}

function publish(instance: RunningExample): Promise<Received> {
  return ask(instance.url, '/api/revalidate', { method: 'POST', headers: { Authorization: `Bearer ${secret}` } })
}

describe('three instances, two of Hono and one of Express, that share a Redis', () => {
  it('a page that one instance has rendered is a hit on another instance of the same server', async () => {
    const [first, second] = instances as [RunningExample, RunningExample]
    expect((await get(first)).headers['cache-status']).toMatch(/fwd=uri-miss/)
    const hit = await get(second, '/about?utm_source=newsletter')
    expect(hit.headers).toMatchObject({ 'cache-status': expect.stringMatching(/; hit/), age: expect.any(String) })
    expect((await get(second, '/about', { method: 'HEAD' })).headers['cache-status']).toMatch(/; hit/)
    const conditional = await get(first, '/about', { headers: { 'If-None-Match': String(hit.headers.etag) } })
    expect([conditional.status, conditional.body.length]).toEqual([304, 0])
  })

  it('after an editor publishes on any instance, no instance serves the older page', async () => {
    for (let round = 0; round < 9; round++) {
      const sentence = `Edition ${round}, published.`
      await writeFile(about, `${original}\n\n${sentence}\n`)
      const publisher = instances[round % 3] as RunningExample
      expect((await publish(publisher)).status).toBe(200)
      const pages = await Promise.all(instances.map((instance) => get(instance)))
      for (const page of pages) expect(page.body.toString()).toContain(sentence)
    }
  })

  it('content that cannot be read is rejected, and the pages stay', async () => {
    const [first] = instances as [RunningExample]
    const page = (await get(first)).body.toString()
    await writeFile(about, '---\ntitle: [\n---\n')
    expect((await publish(first)).status).toBe(503)
    for (const instance of instances) expect((await get(instance)).body.toString()).toBe(page)
    await writeFile(about, original)
  })

  it('without Redis, pages are rendered and publishing fails; with an empty Redis, both work again', async () => {
    await redis.kill()
    for (const instance of instances) expect((await get(instance)).status).toBe(200)
    const [first] = instances as [RunningExample]
    expect((await publish(first)).body.toString()).toBe('{"error":"Revalidation failed","revalidated":false}')
    await redis.start()
    await appendFile(about, '\n\nWritten while Redis was away.\n')
    await expect.poll(async () => (await publish(first)).status, { timeout: 10_000 }).toBe(200)
    for (const instance of instances) {
      await expect
        .poll(async () => (await get(instance)).body.toString(), { timeout: 10_000 })
        .toContain('Written while Redis was away.')
    }
  })
})

it.each(['vite-hono', 'example-next'])(
  '%s does not start with an invalid REDIS_URL, and reports it',
  async (name) => {
    const start = startExample(name, { REDIS_URL: 'localhost:6379' })
    await expect(start).rejects.toThrow('REDIS_URL: expected a URL such as redis://localhost:6379, got another value')
  },
  60_000,
)

it.each(['vite-hono', 'vite-express'])(
  '%s tells a CDN the tag that it purges there',
  async (name) => {
    const example = await startExample(name, { FASTLY_SERVICE_ID: 'a', FASTLY_API_TOKEN: 't' })
    const answers = [await ask(example.url, '/about'), await ask(example.url, '/about')]
    await example.close()
    const texts = ['about', 'home', 'articles/black-canyon'].map((name) => `content/en/${name}.md`)
    const key = ['document', '/about', ...texts].join(' ')
    expect(answers.map(({ headers }) => headers['surrogate-key'])).toEqual([key, key])
  },
  60_000,
)
