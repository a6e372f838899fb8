import { array, assert, asyncProperty, boolean, constantFrom, nat, oneof, record } from 'fast-check'
import { expect, it, vi } from 'vitest'
import { short } from '../../../test/setup/long.js'
import { memoryTagIndex } from '../index.js'
import { deferred, rest, startCache } from '../testing/harness.js'
import { sharedStore } from '../testing/shared-store.js'

type Fields = Record<string, string>
const visitors: Fields[] = [
  { 'accept-language': 'de', 'user-agent': 'Browser/1' },
  { 'accept-language': 'en', 'user-agent': 'Browser/2', cookie: 'session=a' },
  { 'accept-language': 'en', 'user-agent': 'Browser/3', cookie: 'session=b', 'x-forwarded-for': '203.0.113.9' },
  { 'user-agent': 'Browser/4', authorization: 'Bearer c' },
  { 'accept-language': 'de', 'x-forwarded-host': 'www.site.test' },
]
const paths = ['/plain', '/?page=2', '/language', '/changing', '/mine', '/secret', '/host', '/gone', '/large']
const extras: Record<string, Fields> = {
  none: {},
  range: { range: 'bytes=1-3' },
  reload: { 'cache-control': 'no-cache' },
  impatient: { 'cache-control': 'max-age=0' },
  known: { 'if-none-match': '*' },
}
const endings = ['ok', 'ok', 'ok', 'throws', 'is broken', 'is unavailable', 'breaks off', 'in pieces'] as const
type Ending = (typeof endings)[number]

const step = oneof(
  {
    weight: 8,
    arbitrary: record({
      do: constantFrom('visit' as const),
      path: constantFrom(...paths),
      who: constantFrom(...visitors),
      extra: constantFrom(...Object.keys(extras)),
      method: constantFrom('GET', 'GET', 'GET', 'HEAD'),
      leaves: boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: record({ do: constantFrom('end' as const), render: nat(10), how: constantFrom(...endings) }),
  },
  { weight: 2, arbitrary: record({ do: constantFrom('publish' as const), mode: constantFrom('hard', 'soft') }) },
  { weight: 1, arbitrary: record({ do: constantFrom('post' as const), path: constantFrom(...paths) }) },
  {
    weight: 2,
    arbitrary: record({ do: constantFrom('age' as const), seconds: constantFrom(1, 40, 61, 700, 99_999) }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('wait' as const), seconds: constantFrom(1, 6, 70) }) },
)
const scenario = record({
  steps: array(step, { maxLength: 40, size: 'max' }),
  lifetime: constantFrom(
    's-maxage=60',
    's-maxage=60, stale-while-revalidate=600',
    's-maxage=60, stale-if-error=600',
    'public, max-age=60',
    'public, no-cache',
    'max-age=0, must-revalidate',
  ),
  hasEtag: boolean(),
  processes: constantFrom(1, 2),
  options: record({
    honorRequestCacheControl: boolean(),
    fillInBackground: boolean(),
    maxVariants: constantFrom(1, 64),
    maxBackgroundRenders: constantFrom(1, 32),
    maxPendingBytes: constantFrom(10, 1_000_000),
    maxBodyBytes: constantFrom(30, 1_000_000),
  }),
})

const isMissing = (path: string, version: number) => path === '/gone' && version % 2 === 0
const variesBy = (path: string, version: number) =>
  path === '/language' || (path === '/changing' && version % 2 === 0) ? 'Accept-Language' : ''
const textOf = (path: string, version: number, headers: Headers, owner: string) => {
  const language = variesBy(path, version) && headers.get('accept-language')
  const host = path === '/host' ? headers.get('x-forwarded-host') : ''
  return `${path} ${version} ${language} ${host} ${owner} ${path === '/large' ? 'x'.repeat(20) : ''}`
}
/** For whom alone a page is, besides those who get the one for all. */
const ownerOf = (path: string, headers: Headers) =>
  headers.get(path === '/mine' ? 'cookie' : path === '/secret' ? 'authorization' : 'x-none') ?? ''

/** What the handler answers to a request, of a version of the site. */
function createPage(
  { url, headers, method }: Request,
  version: number,
  how: Ending,
  lifetime: string,
  hasEtag: boolean,
) {
  if (how === 'throws') throw new Error('broken')
  if (how === 'is broken') return new Response('broken', { status: 500 })
  if (how === 'is unavailable') return new Response('unavailable', { status: 503 })
  const path = url.slice(new URL(url).origin.length)
  const owner = ownerOf(path, headers)
  const text = textOf(path, version, headers, owner)
  const etag = `"${encodeURIComponent(text)}"`
  const vary = variesBy(path, version)
  const fields = {
    'Cache-Control': !owner ? lifetime : path === '/mine' ? 'private, max-age=60' : 'max-age=60',
    'Cache-Tag': 'document',
    ...(hasEtag && { ETag: etag }),
    ...(vary && { Vary: vary }),
  }
  const body = method === 'HEAD' ? null : text
  if (isMissing(path, version)) return new Response(body, { status: 404 })
  if (hasEtag && headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: fields })
  return new Response(body === null || how === 'ok' ? body : inPieces(body, how === 'breaks off'), { headers: fields })
}

function inPieces(text: string, breaksOff: boolean) {
  let sent = 0
  return new ReadableStream({
    async pull(body) {
      await Promise.resolve()
      if (breaksOff && sent > 4) return body.error(new Error('broken off'))
      body.enqueue(new TextEncoder().encode(text.slice(sent, sent + 3)))
      sent += 3
      if (sent >= text.length) body.close()
    },
  })
}

/** Whether a visitor may get a response, given the version of the last hard purge before his request. */
function check({ url, headers, method }: Request, { status }: Response, text: string, purged: number) {
  if (status >= 500 || method === 'POST') return
  if (status === 304) return expect(headers.get('if-none-match')).toBe('*')
  if (method === 'HEAD') return expect(text).toBe('')
  if (status === 206) return expect([headers.get('range'), text.length]).toEqual(['bytes=1-3', 3])
  const path = url.slice(new URL(url).origin.length)
  const version = Number(text.split(' ')[1])
  expect(['', ownerOf(path, headers)].map((owner) => textOf(path, version, headers, owner))).toContain(text)
  expect(status).toBe(isMissing(path, version) ? 404 : 200)
  expect(version).toBeGreaterThanOrEqual(purged)
}

const now = performance.now.bind(performance)

it(
  'whatever visitors, handler and editors do, each gets his own page or that of all, and none from before a purge',
  async () => {
    vi.stubEnv('NODE_ENV', 'production') // no warnings
    let pause = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + pause)
    await assert(
      asyncProperty(scenario, async ({ steps, lifetime, hasEtag, processes, options }) => {
        let time = 0
        const shared = { store: sharedStore(() => time).store, tagIndex: memoryTagIndex() }
        const caches = Array.from({ length: processes }, () => startCache({ ...shared, ...options, joinTimeout: 30 }))
        let version = 1
        let purged = 1
        let isAtRest = false
        const renders: ((how: Ending) => void)[] = []
        for (const cache of caches) {
          cache.serve(async (request) => {
            if (request.method === 'POST') return new Response(null, { status: 204 })
            const seen = version
            const { promise, resolve } = deferred<Ending>()
            if (!isAtRest) renders.push(resolve)
            return createPage(request, seen, isAtRest ? 'ok' : await promise, lifetime, hasEtag)
          })
        }
        let turn = 0
        const send = async (path: string, headers: Fields, method = 'GET', leaves = false) => {
          const before = purged
          const client = new AbortController()
          const request = new Request(`https://site.test${path}`, { method, headers, signal: client.signal })
          if (leaves) setTimeout(() => client.abort())
          let response: Response | undefined
          let text: string | undefined
          try {
            response = await caches[turn++ % caches.length]?.wrapped(request)
            text = await response?.text()
          } catch {
            // What the handler threw, or the client has left.
          }
          if (response && text !== undefined) check(request, response, text, before)
          return { text, status: response?.headers.get('cache-status') }
        }
        const open: Promise<unknown>[] = []
        for (const each of steps) {
          if (each.do === 'visit') {
            open.push(send(each.path, { ...each.who, ...extras[each.extra] }, each.method, each.leaves))
          }
          if (each.do === 'post') open.push(send(each.path, {}, 'POST'))
          if (each.do === 'end') renders.splice(each.render % Math.max(1, renders.length), 1)[0]?.(each.how)
          if (each.do === 'age') time += each.seconds * 1000
          if (each.do === 'wait') pause += each.seconds * 1000
          if (each.do === 'publish') {
            version++
            await shared.tagIndex.purge(['document'], each.mode as 'hard' | 'soft')
            if (each.mode === 'hard') purged = version
          }
          for (let round = 0; round < 20; round++) await Promise.resolve()
        }

        isAtRest = true
        let isOver = false
        const all = Promise.all(open).finally(() => {
          isOver = true
        })
        all.catch(() => {})
        for (let round = 0; round < 400 && !isOver; round++) {
          for (const end of renders.splice(0)) end('ok')
          await rest(1)
        }
        expect(isOver).toBe(true)
        await all

        pause += 70_000 // longer than any back-off
        for (let round = 0; round < (options.maxBackgroundRenders > 1 ? 3 : 30); round++) {
          for (const path of paths) for (const who of visitors) await send(path, who)
          await rest(1)
        }
        const isStored = options.maxVariants > 1 && options.maxPendingBytes > 10 && options.maxBodyBytes > 30
        const isFresh = /s-maxage|public, max-age/.test(lifetime)
        for (const path of paths) {
          for (const who of visitors.flatMap((each) => Array<Fields>(processes).fill(each))) {
            const { text, status } = await send(path, who)
            expect(text).toContain(` ${version} `)
            const isForAll = path !== '/gone' && !who.authorization && !(path === '/mine' && who.cookie)
            if (isStored && isFresh && isForAll) expect(status).toContain('hit')
          }
        }
      }),
      { numRuns: short(80, 3_000) },
    )
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  },
  short(120_000, 900_000),
)
