import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { greetVisitors } from '../cache/greeting.js'
import type { RunningSite } from './site.js'

type Start = (environment: Record<string, string>) => Promise<RunningSite>

let redis: Awaited<ReturnType<typeof startRedis>>
let folder: string
let textFile: string
let instances: [RunningSite, RunningSite]

/** The page, and a route's answer from both kinds of 'use cache', as an instance serves them. */
async function read(url: string) {
  const page = /<p>([^<]*)/.exec(await (await fetch(`${url}/shared`)).text())?.[1]
  const data = (await (await fetch(`${url}/data`)).json()) as { text: string; remote: string }
  return [page, data.text, data.remote]
}

async function revalidateTag(url: string, tag: string, profile: unknown) {
  await fetch(`${url}/tags`, { method: 'POST', body: JSON.stringify({ tag, profile }) })
}

/**
 * Tests two instances of a site with Cache Components on one Redis. Its code calls revalidateTag; its build has no
 * Redis.
 */
export function testInstances(start: Start): void {
  describe('two instances on one Redis', () => {
    beforeAll(async () => {
      redis = await startRedis()
      folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
      textFile = join(folder, 'text')
      await writeFile(textFile, 'first')
      const environment = { REDIS_URL: `redis://127.0.0.1:${redis.port}`, TEXT_FILE: textFile }
      instances = await Promise.all([start(environment), start(environment)])
    })

    afterAll(async () => {
      for (const instance of instances ?? []) await instance.close()
      await redis?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('two instances share the pages that they render, but not those of the build', async () => {
      for (const { url } of instances) expect(await read(url)).toEqual(['first', 'first', 'first'])
      await writeFile(textFile, 'not published')
      for (const { url } of instances) expect(await read(url)).toEqual(['first', 'first', 'first'])
    })

    // revalidateTag only queues: the answer may come before the purge is done.
    it.each([
      ['with expire 0', { expire: 0 }],
      ['with max', 'max'],
    ])('revalidateTag on one reaches both, %s', async (name, profile) => {
      for (const { url } of instances) {
        const text = `${name} on ${url}`
        await writeFile(textFile, text)
        await revalidateTag(url, 'document', profile)
        for (const instance of instances)
          await expect.poll(() => read(instance.url), { timeout: 20_000 }).toEqual([text, text, text])
      }
    })

    it('a path purges its page on both, and no other', async () => {
      const purge = async (path: string) => {
        const headers = { Authorization: 'Bearer between-us' }
        return (await fetch(`${instances[0].url}/api/revalidate?path=${path}`, { method: 'POST', headers })).json()
      }
      const readBoth = () => Promise.all(instances.map(({ url }) => read(url)))
      // Results of 'use cache' are stored again five seconds after a purge is noticed.
      const storeAgain = async () => {
        await sleep(5_500)
        await readBoth()
      }
      await writeFile(textFile, 'before')
      await revalidateTag(instances[0].url, 'document', { expire: 0 })
      await expect.poll(readBoth, { timeout: 20_000 }).toEqual(Array(2).fill(['before', 'before', 'before']))
      await storeAgain()
      await writeFile(textFile, 'data')
      expect(await purge('/data')).toEqual({ revalidated: true, tags: ['/data'] })
      expect(await readBoth()).toEqual(Array(2).fill(['before', 'data', 'data']))
      await storeAgain()
      await writeFile(textFile, 'page')
      expect(await purge('/shared?page=2')).toEqual({ revalidated: true, tags: ['/shared'] })
      // The old page is served once more.
      await expect.poll(readBoth, { timeout: 20_000 }).toEqual(Array(2).fill(['page', 'page', 'data']))
    })

    it('without Redis, content is read for each request', async () => {
      await redis.kill()
      for (const text of ['away', 'still away']) {
        await writeFile(textFile, text)
        for (const { url } of instances) expect(await read(url)).toEqual([text, text, text])
      }
      await redis.start()
      const backAgain = async () => {
        await writeFile(textFile, 'back')
        await revalidateTag(instances[0].url, 'document', { expire: 0 })
        await read(instances[0].url) // notices the purge
        await sleep(5_500)
        const first = await read(instances[0].url)
        await writeFile(textFile, 'not published')
        return [...first, ...(await read(instances[1].url))]
      }
      await expect.poll(backAgain, { timeout: 60_000, interval: 500 }).toEqual(Array(6).fill('back'))
    })

    it('a cached route greets each visitor by his own name, and visitors without a name by no name', async () => {
      await greetVisitors((init) => fetch(`${instances[0].url}/greeting`, init))
      expect.hasAssertions()
    })
  })
}
