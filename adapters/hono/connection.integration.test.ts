import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { honoMiddleware } from './index.js'
import { addressOf, createExistingApp, limitRate } from './testing/existing-app.js'
import { serverNames, serveWith } from './testing/servers.js'
import { cacheStatusOf, visit } from './testing/visit.js'

const createCache = () => createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
const forAll = { 'Cache-Control': 's-maxage=60' }
type Fetch = ReturnType<ReturnType<typeof createCache>['inFrontOf']>

/** Returns the status of an answer, what the cache says, and the body. */
async function read(origin: string, path: string, fields = {}) {
  const answer = await visit(origin, { path, fields })
  const [kind] = /first|stored|hit|cookie|no-lifetime|status$/.exec(cacheStatusOf(answer)) ?? []
  return [Number.parseInt(answer.status, 10), kind, answer.body.toString()] as const
}

// Two ways to put the cache in front: as the whole server, and in an app that has what stands in front of the cache.
const mounts: [string, (cached: Fetch) => Fetch][] = [
  ['as the whole server', (cached) => cached],
  ['in another app', (cached) => new Hono().use(honoMiddleware(cached as never)).fetch as Fetch],
]

describe.each(serverNames)('on %s', (server) => {
  describe.each(mounts)('with the cache in front, %s', (_, mount) => {
    it('an app keeps its notFound, its onError and its c.env', async () => {
      const show = (c: Context) =>
        c.text(`${Object.keys(c.env)} ${c.env.incoming.url} ${c.env.outgoing.constructor.name}`)
      const app = createExistingApp([]).get('/env', show)
      const origin = await serveWith(server, mount(createCache().inFrontOf(app.fetch as never)))
      expect(await read(origin, '/none')).toEqual([404, expect.anything(), 'No such page'])
      expect(await read(origin, '/error')).toEqual([500, 'status', '{"error":"broken on purpose"}'])
      expect(await read(origin, '/env')).toEqual([200, 'no-lifetime', 'incoming,outgoing /env ServerResponse'])
    })

    it('an app may answer by the response of Node', async () => {
      const app = new Hono().get('/', (c: Context) => {
        c.env.outgoing.writeHead(200, { 'Content-Type': 'text/plain' }).end('directly')
        return RESPONSE_ALREADY_SENT
      })
      const origin = await serveWith(server, mount(createCache().inFrontOf(app.fetch as never)))
      for (let round = 0; round < 3; round++) expect(await read(origin, '/')).toEqual([200, undefined, 'directly'])
    })

    it('getConnInfo names the visitor in an answer of the visitor, and nobody in a page for all', async () => {
      const show = (c: Context) => c.text(`${addressOf(c)} ${c.env.incoming.headers} ${c.env.outgoing}`, 200, forAll)
      const app = new Hono().get('/', show)
      const origin = await serveWith(server, mount(createCache().inFrontOf(app.fetch as never)))
      expect(await read(origin, '/')).toEqual([200, 'first', expect.stringMatching(/^127\.0\.0\.1 .+ .+/)])
      const forEverybody = [expect.stringMatching(/^2001:db8:\S+ undefined undefined$/)]
      expect(await read(origin, '/')).toEqual([200, 'stored', ...forEverybody])
      expect(await read(origin, '/')).toEqual([200, 'hit', ...forEverybody])
      expect(await read(origin, '/', { Cookie: 'session=1' })).toEqual([
        200,
        'cookie',
        expect.stringContaining('127.0.0.1'),
      ])
    })

    it('pages for all share no rate limit, and hits do not count', async () => {
      const app = new Hono().use(limitRate(3)).get('/:page', (c) => c.text('page', 200, forAll))
      const origin = await serveWith(server, mount(createCache().inFrontOf(app.fetch as never)))
      const kinds: unknown[] = []
      for (const path of ['/1', '/2', '/3']) {
        for (let round = 0; round < 4; round++) kinds.push((await read(origin, path)).slice(0, 2).join(' '))
      }
      expect(kinds).toEqual(Array(3).fill(['200 first', '200 stored', '200 hit', '200 hit']).flat())
      expect(await read(origin, '/4')).toEqual([429, expect.anything(), 'Too many requests'])
      expect((await read(origin, '/1'))[1]).toBe('hit')
    })

    it('server-sent events arrive one by one, and the app hears that the visitor has left', async () => {
      let send = () => {}
      const left = vi.fn()
      const app = new Hono().get('/', (c) =>
        streamSSE(c, async (stream) => {
          stream.onAbort(left)
          await stream.writeSSE({ data: 'one' })
          await new Promise<void>((resolve) => (send = resolve))
          await stream.writeSSE({ data: 'two' })
          await new Promise(() => {})
        }),
      )
      const origin = await serveWith(server, mount(createCache().inFrontOf(app.fetch as never)))
      const [answer] = (await once(get(origin), 'response')) as [IncomingMessage]
      const events = answer[Symbol.asyncIterator]()
      expect(`${(await events.next()).value}`).toBe('data: one\n\n')
      send()
      expect(`${(await events.next()).value}`).toBe('data: two\n\n')
      answer.destroy()
      await vi.waitFor(() => expect(left).toHaveBeenCalledOnce(), 20_000)
    })
  })

  it.each([
    ['nothing', null, {}],
    ['a type', null, { 'Content-Type': 'text/plain' }],
  ])(
    'a response with %s that an app returns to every visitor says once why it is not stored',
    async (_, body, type) => {
      const shared = new Response(body, { status: 404, headers: { 'X-Own': 'yes', ...type } })
      const origin = await serveWith(server, createCache().inFrontOf(async () => shared) as Fetch)
      for (let round = 0; round < 4; round++) {
        const answer = await visit(origin, { path: '/' })
        expect(answer.lines).toContain('x-own: yes')
        expect(cacheStatusOf(answer)).toBe('sitewright; fwd=uri-miss; fwd-status=404; detail=no-lifetime')
      }
    },
  )
})
