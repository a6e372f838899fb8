import type { Response } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { startCachedApp, versions } from '../../adapters/express/testing/cached-app.js'
import { memoryTagIndex } from '../../core/cache/index.js'
import { expectSame, requestOf, type Site, sendRaw, serveBoth } from './compare.js'

// How often the routes of an app run, with the cache in front of it: never more often than without it, but for
// refreshes and for one discarded render in 120 seconds.

const forAll = { 'Cache-Control': 'public, s-maxage=60' }
const herd = Array.from({ length: 20 })

/** An app whose page is answered when the test says so. */
async function startSlowApp(create: (typeof versions)[number][1], headers: Record<string, string> = forAll) {
  const waiting: Response[] = []
  const slow = { isSlow: true, runs: 0 }
  const answer = (res: Response) => void res.set(headers).send('page')
  const site = await startCachedApp(create, (app) =>
    app.get('/', (_req, res) => {
      slow.runs++
      if (slow.isSlow) waiting.push(res)
      else answer(res)
    }),
  )
  const visitAll = () => herd.map(() => site.get())
  return { ...site, slow, waiting, visitAll, answerAll: () => waiting.splice(0).map(answer) }
}

type Kind = [name: string, headers: Record<string, string>, runs: number[]]
const kinds: Kind[] = [
  ['for all', forAll, [1, 2, 2, 2, 2]],
  [
    'for all, for no time but with a stale window',
    { 'Cache-Control': 's-maxage=0, stale-while-revalidate=60' },
    [1, 2, 3, 4, 5],
  ],
  ['private', { 'Cache-Control': 'private, max-age=60' }, [1, 2, 3, 4, 5]],
  ['without Cache-Control', {}, [1, 2, 3, 4, 5]],
  ['with a cookie', { ...forAll, 'Set-Cookie': 'a=1' }, [1, 2, 3, 4, 5]],
  ['with an undeclared Vary', { ...forAll, Vary: 'Accept-Language' }, [1, 2, 3, 4, 5]],
  ['with a nonce', { ...forAll, 'Content-Security-Policy': "script-src 'nonce-a'" }, [1, 2, 3, 4, 5]],
]

describe.each(versions)('an app of %s', (_, create) => {
  it.each(kinds)('the runs of a page that is %s, after 1, 2, 3, 4 and 5 visits', async (_name, headers, expected) => {
    const routes: Site['routes'] = (app, _create, run) =>
      app.get('/', (_req, res) => void res.set(headers).send(`${run()}`.length > 0 && 'page'))
    const { plain, cached } = await serveBoth(create, { routes })
    const runs: number[] = []
    for (let visit = 0; visit < expected.length; visit++) {
      expectSame(await sendRaw(cached.url, requestOf('/')), await sendRaw(plain.url, requestOf('/')))
      // A refresh in the background may come later.
      await vi.waitFor(() => expect(cached.runs).toBe(expected[visit]), 20_000)
      runs.push(cached.runs)
    }
    expect(runs).toEqual(expected)
  })

  it('a herd on an unknown page goes to the app; on a known and on a purged one it waits for one render', async () => {
    const { get, cache, slow, waiting, visitAll, answerAll } = await startSlowApp(create)
    const cold = visitAll()
    await vi.waitFor(() => expect(waiting).toHaveLength(herd.length), 20_000)
    answerAll()
    expect(new Set((await Promise.all(cold)).map(({ text }) => text))).toEqual(new Set(['page']))
    expect(slow.runs).toBe(herd.length)

    for (const expected of ['known', 'purged']) {
      slow.runs = 0
      const visitors = visitAll()
      await vi.waitFor(() => expect(waiting).toHaveLength(1), 20_000)
      answerAll()
      const statuses = (await Promise.all(visitors)).map(({ cacheStatus }) => cacheStatus)
      expect([expected, slow.runs]).toEqual([expected, 1])
      expect(statuses.filter((status) => /stored|collapsed|hit/.test(status))).toHaveLength(herd.length)
      await cache.invalidate(['document'])
    }
    slow.isSlow = false
    expect((await get()).cacheStatus).toContain('stored')
  })

  it('a herd on a page that cannot be stored goes to the app, each visitor once', async () => {
    const { get, slow, waiting, visitAll, answerAll } = await startSlowApp(create, { 'Cache-Control': 'no-store' })
    slow.isSlow = false
    await get()
    slow.isSlow = true
    slow.runs = 0
    const visitors = visitAll()
    await vi.waitFor(() => expect(waiting).toHaveLength(herd.length), 20_000)
    answerAll()
    await Promise.all(visitors)
    expect(slow.runs).toBe(herd.length)
  })

  it('a one-time link works once, a counter counts each visit, and an error is not hidden', async () => {
    const routes: Site['routes'] = (app) => {
      let uses = 0
      app.get(
        '/link',
        (_req, res) => void (uses++ === 0 ? res.set(forAll).send('the secret') : res.status(410).send('used')),
      )
      let visits = 0
      app.get('/counter', (_req, res) => void res.send(`${++visits}`))
      let tries = 0
      app.get(
        '/failing',
        (_req, res) =>
          void res
            .set(forAll)
            .status(++tries === 2 ? 500 : 200)
            .send('page'),
      )
    }
    const { plain, cached } = await serveBoth(create, { routes })
    for (const path of ['/link', '/link', '/link', '/counter', '/counter', '/counter'])
      expectSame(await sendRaw(cached.url, requestOf(path)), await sendRaw(plain.url, requestOf(path)))
    for (let visit = 0; visit < 4; visit++) expect(await sendRaw(cached.url, requestOf('/failing'))).toMatch(/page$/)
  })

  it.each(['nonce', 'vary-accept-language'])('what is not stored because of %s is explained once', async (detail) => {
    const headers =
      detail === 'nonce' ? { 'Content-Security-Policy': "script-src 'nonce-a'" } : { Vary: 'Accept-Language' }
    const log = vi.fn()
    const { get } = await startCachedApp(
      create,
      (app) => app.get('/', (_req, res) => void res.set({ ...forAll, ...headers }).send('page')),
      { log },
    )
    for (let visit = 0; visit < 4; visit++) expect((await get()).cacheStatus).toContain(`detail=${detail}`)
    expect(log).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(log.mock.calls)).toContain(detail === 'nonce' ? 'send hashes' : 'declare it: fields')
  })

  const redirects: [string, (res: Response) => unknown][] = [
    ['res.redirect', (res) => res.redirect(303, '/')],
    ['writeHead', (res) => res.writeHead(303, { Location: '/' }).end()],
    ['end with a text', (res) => res.status(303).set('Location', '/').end('See /')],
  ]
  it.each(redirects)(
    'the redirect of a POST by %s does not overtake the purge of the page',
    async (_name, redirect) => {
      const events: string[] = []
      const tagIndex = memoryTagIndex()
      const purge: typeof tagIndex.purge = async (...purged) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await tagIndex.purge(...purged)
        events.push('purged')
      }
      let title = 'old'
      const { get } = await startCachedApp(
        create,
        (app) => {
          app.get('/', (_req, res) => void res.set(forAll).send(title))
          app.post('/', (_req, res) => {
            title = 'new'
            redirect(res)
          })
        },
        { tagIndex: { ...tagIndex, purge } },
      )
      for (const status of ['first', 'stored', 'hit']) expect((await get()).cacheStatus).toContain(status)
      const response = await get('/', { method: 'POST' }) // resolves with the head
      events.push(`redirected ${response.status}`)
      expect((await get()).text).toBe('new')
      expect([events[0], events.at(-1)]).toEqual(['purged', 'redirected 303'])
    },
  )
})
