import { array, assert, asyncProperty, boolean, constantFrom, nat, oneof, record, subarray } from 'fast-check'
import { expect, it, vi } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { memoryTagIndex } from './index.js'
import { deferred, rest, startCache } from './testing/harness.js'
import { sharedStore } from './testing/shared-store.js'

// The request that a handler receives depends on the visitor's request alone, and not on earlier requests. So the test
// needs no memory of them, either. Each answer is the handler's answer to the visitor's own request or, for a shared
// page, to the request without its personal parts.

type Fields = Record<string, string>

/** The headers of each visitor. All undeclared values have a mark that no other visitor sends. */
const visitors: Fields[] = [
  {},
  { 'accept-language': 'de-mark-1', 'user-agent': 'mark-1', referer: 'https://mark-1.test' },
  { 'accept-language': 'fr-mark-2', cookie: '_ga=mark-2; ab=1', 'x-forwarded-for': 'mark-2' },
  { 'accept-language': 'de-mark-3', cookie: 'user=mark-3; ab=1', 'user-agent': 'mark-3' },
  { 'accept-language': 'fr', cookie: 'user=mark-4', referer: 'https://mark-4.test' },
  { authorization: 'mark-5', 'x-theme': 'mark-5' },
  { 'x-theme': 'mark-6', cookie: 'ab=2', 'x-forwarded-host': 'www.site.test' },
  { 'user-agent': 'mark-7', 'x-forwarded-host': 'www.site.test', 'x-forwarded-for': 'mark-7', cookie: '_fbp=mark-7' },
]
const pickLanguage = (value: string | null) => (value?.startsWith('de') ? 'de' : 'en')
const declared = { fields: { 'Accept-Language': pickLanguage }, cookies: ['ab'] }

const isPersonal = ({ headers }: Request) =>
  headers.has('authorization') || /(?:^|; )user=/.test(headers.get('cookie') ?? '')

/** Returns the request that a handler receives for a visitor's request, without the code of the cache. */
function handlerRequestOf(request: Request): Request {
  if (request.method === 'POST' || isPersonal(request)) return request
  return sharedRequestOf(request)
}

/** Returns the request that a page for all is rendered from. */
function sharedRequestOf(request: Request): Request {
  const { headers } = request
  const url = request.url.replace(/\?utm_source=.*/, '')
  const narrowed = new Headers({
    'user-agent': 'Mozilla/5.0 (compatible; sitewright)',
    'x-forwarded-for': '192.0.2.1',
    'accept-language': pickLanguage(headers.get('accept-language')),
  })
  const ab = /ab=\d/.exec(headers.get('cookie') ?? '')?.[0]
  if (ab) narrowed.set('cookie', ab)
  const host = headers.get('x-forwarded-host')
  if (host) narrowed.set('x-forwarded-host', host)
  return new Request(url, { headers: narrowed })
}

const readable = [
  'accept-language',
  'authorization',
  'cookie',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-theme',
]
const page = record({
  reads: subarray(readable),
  status: constantFrom(200, 200, 200, 200, 302, 404, 500),
  cacheControl: constantFrom(
    'public, s-maxage=60',
    'public, s-maxage=60',
    's-maxage=60, stale-while-revalidate=600',
    's-maxage=60, stale-if-error=600',
    'public, max-age=60, stale-while-revalidate=600',
    'max-age=0, must-revalidate',
    'public, no-cache',
    'private, max-age=60',
    'no-store',
    '',
  ),
  vary: constantFrom('', '', 'Cookie', 'Accept-Language', 'Accept-Language, Cookie', 'User-Agent', 'X-Theme', '*'),
  setsCookie: constantFrom(false, false, false, true),
  hasEtag: boolean(),
  targets: constantFrom('', '', 'max-age=60'),
  size: constantFrom(1, 1, 1, 400),
})
type Page = ReturnType<(typeof page)['generate']>['value']

const paths = ['/a', '/b?page=2', '/c', '/d']
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
      path: constantFrom(...paths, '/a?utm_source=mark-9'),
      who: nat(visitors.length - 1),
      extra: constantFrom(...Object.keys(extras)),
      method: constantFrom('GET', 'GET', 'GET', 'HEAD'),
      leaves: boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: record({ do: constantFrom('end' as const), render: nat(10), how: constantFrom(...endings) }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('publish' as const), mode: constantFrom('hard', 'soft') }) },
  { weight: 1, arbitrary: record({ do: constantFrom('edit' as const), path: constantFrom(...paths) }) },
  { weight: 1, arbitrary: record({ do: constantFrom('post' as const), path: constantFrom(...paths), who: nat(7) }) },
  { weight: 2, arbitrary: record({ do: constantFrom('age' as const), seconds: constantFrom(1, 40, 61, 700, 99_999) }) },
  { weight: 1, arbitrary: record({ do: constantFrom('wait' as const), seconds: constantFrom(1, 6, 130) }) },
)
type Way = 'wrapped' | 'in front'
const scenario = record({
  way: constantFrom<Way>('wrapped', 'in front'),
  steps: array(step, { maxLength: 40, size: 'max' }),
  pages: array(page, { minLength: paths.length, maxLength: paths.length }),
  processes: constantFrom(1, 2),
  options: record({ honorRequestCacheControl: boolean(), maxBodyBytes: constantFrom(200, 1_000_000) }),
})

const pathOf = ({ url }: Request) => url.slice(new URL(url).origin.length).replace(/\?utm_source=.*/, '')

/** Returns the text of a page: its version, and all fields of the request that its handler has read. */
function textOf(request: Request, { reads, size }: Page, version: number): string {
  // Each render for all has an address of its own in front of an app.
  const values = reads.map((name) => request.headers.get(name)?.replace(/^2001:db8:.*/, '192.0.2.1') ?? null)
  return `${pathOf(request)} ${version} ${JSON.stringify([request.url, ...values])} ${'x'.repeat(size)}`
}

/** Creates the handler's answer to a request, for a version of the site. */
function answer(request: Request, page: Page, version: number, how: Ending): Response {
  const { headers, method } = request
  const text = textOf(request, page, version)
  if (how === 'throws') throw new Error('broken')
  if (how === 'is broken') return new Response('broken', { status: 500 })
  if (how === 'is unavailable') return new Response('unavailable', { status: 503 })
  const etag = `"${encodeURIComponent(text)}"`
  const fields: Fields = {
    ...(page.cacheControl && { 'Cache-Control': page.cacheControl }),
    ...(page.hasEtag && { ETag: etag }),
    ...(page.vary && { Vary: page.vary }),
    ...(page.targets && { 'CDN-Cache-Control': page.targets }),
    ...(page.setsCookie && { 'Set-Cookie': `seen=${encodeURIComponent(text)}` }),
  }
  if (page.status === 302) return new Response(null, { status: 302, headers: { ...fields, Location: encodeURI(text) } })
  if (page.hasEtag && headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: fields })
  const body = method === 'HEAD' ? null : how === 'ok' ? text : inPieces(text, how === 'breaks off')
  return new Response(body, { status: page.status, headers: fields })
}

function inPieces(text: string, breaksOff: boolean) {
  let sent = 0
  return new ReadableStream({
    async pull(body) {
      await Promise.resolve()
      if (breaksOff && sent > 4) return body.error(new Error('broken off'))
      body.enqueue(new TextEncoder().encode(text.slice(sent, sent + 9)))
      sent += 9
      if (sent >= text.length) body.close()
    },
  })
}

const marksOf = (text: string) => new Set(text.match(/mark-\d/g))

/**
 * Checks what a visitor got, given the version of the last hard purge of the page before the request, and the current
 * one.
 */
function check(
  request: Request,
  page: Page,
  response: Response,
  text: string,
  purged: number,
  version: number,
  way: Way,
) {
  const { headers, method } = request
  const received = [text, ...[...response.headers].flat()].join('\n')
  const sentMarks = marksOf([request.url, ...[...headers].flat()].join())
  const isShared = /; hit|; stored|; collapsed/.test(response.headers.get('cache-status') ?? '')
  const isPrivate = way === 'in front' ? !isShared : isPersonal(request) || method === 'POST'
  if (isPersonal(request) || method === 'POST') expect(isShared, 'an own request is shared').toBe(false)
  for (const mark of marksOf(received)) expect(isPrivate ? [...sentMarks] : [], 'marks of the visitor').toContain(mark)
  if (isPrivate) {
    const shared = ['cdn-cache-control', 'cache-control'].map((name) => response.headers.get(name) ?? '')
    expect(shared[0]).toBe('')
    // In front of an app, an answer that says nothing to shared caches stays as it is.
    if (way === 'wrapped') expect(shared[1]).toMatch(/private|no-store/)
    else expect(shared[1]).toMatch(/^$|private|no-store|no-cache|max-age=0/)
    expect(shared[1]).not.toMatch(/public|s-maxage/)
  }
  if (response.status >= 500 || method !== 'GET') return
  if (response.status === 304) return expect(headers.get('if-none-match')).toBe('*')
  if (response.status === 206) return expect([headers.get('range'), text.length]).toEqual(['bytes=1-3', 3])
  const ownRequest = way === 'wrapped' ? handlerRequestOf(request) : request
  const handlerRequest = isShared ? sharedRequestOf(request) : ownRequest
  const versions = Array.from({ length: version - purged + 1 }, (_, index) => purged + index)
  const expected = versions.map((number) => textOf(handlerRequest, page, number))
  expect(expected).toContain(response.status === 302 ? decodeURI(response.headers.get('location') ?? '') : text)
  expect(response.status).toBe(page.status)
}

const now = performance.now.bind(performance)

async function run({ way, steps, pages, processes, options }: ReturnType<(typeof scenario)['generate']>['value']) {
  let time = 0
  let pause = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + pause)
  const shared = { store: sharedStore(() => time), tagIndex: memoryTagIndex() }
  const caches = Array.from({ length: processes }, () =>
    startCache({ ...shared, ...options, ...declared, joinTimeout: 30, targets: ['CDN-Cache-Control'] }),
  )
  let version = 1
  const purged = new Map(paths.map((path) => [path, 1]))
  let isAtRest = false
  const renders: ((how: Ending) => void)[] = []
  const pageOf = (request: Request) => pages[paths.indexOf(pathOf(request))] as Page
  for (const cache of caches) {
    cache.serve(async (request) => {
      if (request.method === 'POST') return new Response(null, { status: 204, headers: { 'Cache-Control': 'public' } })
      const renderedVersion = version
      const { promise, resolve } = deferred<Ending>()
      if (!isAtRest) renders.push(resolve)
      return answer(request, pageOf(request), renderedVersion, isAtRest ? 'ok' : await promise)
    })
  }
  let turn = 0
  const send = async (path: string, headers: Fields, method = 'GET', leaves = false) => {
    const client = new AbortController()
    const request = new Request(`https://site.test${path}`, { method, headers, signal: client.signal })
    const purgedVersion = purged.get(pathOf(request)) ?? 1
    if (leaves) setTimeout(() => client.abort())
    let response: Response | undefined
    let text: string | undefined
    try {
      const cache = caches[turn++ % caches.length]
      response = await (way === 'wrapped' ? cache?.wrapped(request) : cache?.inFront(request))
      text = await response?.text()
    } catch {
      // The handler has thrown, or the client has left.
    }
    if (response && text !== undefined) check(request, pageOf(request), response, text, purgedVersion, version, way)
    return response?.headers.get('cache-status') ?? ''
  }
  const purge = async (tag: string, mode: 'hard' | 'soft', names: string[]) => {
    version++
    await shared.tagIndex.purge([tag], mode)
    if (mode === 'hard') for (const name of names) purged.set(name, version)
  }
  const open: Promise<unknown>[] = []
  for (const action of steps) {
    if (action.do === 'visit') {
      open.push(send(action.path, { ...visitors[action.who], ...extras[action.extra] }, action.method, action.leaves))
    }
    if (action.do === 'post') open.push(send(action.path, visitors[action.who] ?? {}, 'POST'))
    if (action.do === 'end') renders.splice(action.render % Math.max(1, renders.length), 1)[0]?.(action.how)
    if (action.do === 'age') time += action.seconds * 1000
    if (action.do === 'wait') pause += action.seconds * 1000
    if (action.do === 'publish') await purge('document', action.mode as 'hard' | 'soft', paths)
    if (action.do === 'edit') await purge(action.path.replace(/\?.*/, ''), 'hard', [action.path])
    for (let round = 0; round < 20; round++) await Promise.resolve()
  }

  isAtRest = true
  let isOver = false
  const answered = Promise.all(open).finally(() => {
    isOver = true
  })
  answered.catch(() => {})
  for (let round = 0; round < 400 && !isOver; round++) {
    for (const end of renders.splice(0)) end('ok')
    await rest(1)
  }
  expect(isOver, 'all requests are answered').toBe(true)
  await answered

  pause += 130_000 // longer than any verdict
  await purge('document', 'hard', paths)
  const everyone = visitors.flatMap((visitor) => Array<Fields>(processes).fill(visitor))
  for (const path of paths) for (const who of everyone) await send(path, who)
  // In front of an app, the first visit makes a page known to its process.
  if (way === 'in front') for (const path of paths) for (const who of everyone) await send(path, who)
  await rest(1)
  for (const [index, path] of paths.entries()) {
    const { status, cacheControl, targets, vary, setsCookie, size } = pages[index] as Page
    const isStored =
      status < 500 &&
      (/s-maxage|public, max-age/.test(cacheControl) || (targets !== '' && !/private|no-/.test(cacheControl))) &&
      !/private|no-/.test(cacheControl) &&
      !/User-Agent|X-Theme|\*/.test(vary) &&
      !setsCookie &&
      (size === 1 || status === 302 || options.maxBodyBytes > 400)
    for (const who of everyone) {
      const cacheStatus = await send(path, who)
      const isPrivate = isPersonal(new Request('https://site.test', { headers: who }))
      if (isPrivate) expect(cacheStatus).toMatch(/fwd=bypass.*detail=(?:cookie|authorization)/)
      else if (isStored) expect(cacheStatus).toContain('hit')
      else expect(cacheStatus).toMatch(/detail=/)
    }
  }
  clock.mockRestore()
}

it(
  'every answer, wrapped or in front of an app, is the one to the visitor’s own request or to the request for all, and never from before a purge',
  async () => {
    vi.stubEnv('NODE_ENV', 'production') // no warnings
    await assert(asyncProperty(scenario, run), { numRuns: rounds(50) })
    vi.unstubAllEnvs()
  },
  rounds(120_000),
)
