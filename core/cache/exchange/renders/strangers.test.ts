import { array, assert, asyncProperty, boolean, constantFrom, record, subarray } from 'fast-check'
import { expect, it, vi } from 'vitest'
import { short } from '../../../../test/setup/long.js'
import { memoryTagIndex } from '../../index.js'
import { cacheable, rest, startCache } from '../../testing/harness.js'
import { sharedStore } from '../../testing/shared-store.js'

/** What a stranger may send: each of it has the word by which the handler of these tests knows him. */
const oddFields = {
  'accept-language': 'odd',
  cookie: 'session=odd',
  'hx-request': 'odd',
  referer: 'https://odd.test',
  'sec-odd': 'odd',
  'user-agent': 'odd',
  'x-forwarded-for': 'odd',
  'x-forwarded-host': 'odd.test',
  'x-request-id': 'odd',
  'x-theme': 'odd',
} as const
/** What he may send besides, of any value. */
const otherFields = {
  authorization: 'Bearer odd',
  'cache-control': 'max-age=0, min-fresh=9999',
  'if-match': '"other"',
  'if-none-match': '*',
  range: 'bytes=0-1',
} as const
const answers: Record<string, () => Response | Promise<Response> | undefined> = {
  hangs: () => new Promise<Response>(() => {}),
  throws: () => Promise.reject(new Error('odd')),
  'is broken': () => new Response('odd', { status: 500 }),
  'is unavailable': () => new Response('odd', { status: 503 }),
  'is missing': () => new Response('odd', { status: 404 }),
  'is not acceptable': () => new Response('odd', { status: 406 }),
  'is private': () => new Response('odd', { headers: { 'Cache-Control': 'private' } }),
  'wants a login': () => new Response(null, { status: 302, headers: { Location: '/odd' } }),
  'begins to vary': () => cacheable('odd', { Vary: Object.keys(oddFields).join() }),
  'does not end': () => cacheable(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) })),
  'breaks off': () => cacheable(new ReadableStream({ pull: (body) => body.error(new Error('odd')) })),
  'is larger than maxBodyBytes': () => cacheable('odd and large'),
  'varies by everything': () => cacheable('odd', { Vary: '*' }),
  'is missing for a minute': () => cacheable('odd', {}, 404),
  'is partial': () => cacheable('od', { 'Content-Range': 'bytes 0-1/3' }, 206),
  'is of another route': () => undefined,
}
const failures = ['hangs', 'throws', 'is broken', 'is unavailable', 'does not end', 'breaks off']
/** Those that the page would be replaced by, if the handler received the field for it. */
const replacements: Record<string, (varied: Record<string, string>) => Response> = {
  'is another page': (varied) => cacheable('odd', varied),
  'has moved': (varied) => cacheable(null, { ...varied, Location: '/odd' }, 301),
  'is not modified': () => new Response(null, { status: 304, headers: { ETag: '"odd"' } }),
  'is empty': (varied) => cacheable(null, varied, 204),
}

const attack = record({
  fields: subarray(Object.keys(oddFields) as (keyof typeof oddFields)[], { minLength: 1 }),
  others: subarray(Object.keys(otherFields) as (keyof typeof otherFields)[], { maxLength: 1 }),
  method: constantFrom('GET', 'GET', 'GET', 'HEAD'),
  leaves: boolean(),
})
const attacks = array(attack, { maxLength: 3 })
const scenario = record({
  // The fields that a visitor has, too, have the same value for all of them.
  vary: subarray(['Accept-Language', 'Accept-Encoding', 'HX-Request']),
  lifetime: constantFrom('s-maxage=60', 's-maxage=60, stale-if-error=9999', 's-maxage=60, stale-while-revalidate=9999'),
  end: constantFrom('expires', 'is forgotten', 'hard', 'soft', 'POST'),
  answer: constantFrom(...Object.keys(answers), ...Object.keys(replacements)),
  // To the field that the handler receives also for all.
  themeAnswer: constantFrom(...Object.keys(answers).filter((name) => name !== 'begins to vary')),
  // Of answers to both fields. What fails comes second, too: a handler that looks at the other field before.
  isThemeFirst: boolean(),
  isSlow: boolean(),
  // All come through a proxy that says where they are; a client without an address gets what is for the site's own.
  hasProxy: boolean(),
  // Answered to all, before the handler is up again.
  outage: constantFrom('none', 'is unavailable', 'is broken', 'throws'),
  during: attacks,
  before: attacks,
  after: attacks,
  processes: constantFrom(1, 2),
  honorRequestCacheControl: boolean(),
})
type Attack = ReturnType<(typeof attack)['generate']>['value']

const html = { 'accept-language': 'de', 'accept-encoding': 'br', 'hx-request': 'true' }
const visitors: Record<string, string>[] = [
  { ...html, 'user-agent': 'Browser/1', cookie: 'session=1' },
  html,
  { ...html, 'user-agent': 'Browser/2', 'x-forwarded-for': '192.0.2.1' },
  { ...html, cookie: 'session=2', referer: 'https://site.test/' },
]
const usual = (name: string, { vary }: { vary: string[] }) =>
  name !== 'hx-request' || vary.includes('HX-Request') ? html[name as keyof typeof html] : undefined

it(
  'a page that was for all is got by all when it is out of date, whatever a stranger sends',
  async () => {
    await assert(
      asyncProperty(scenario, async (given) => {
        const { lifetime, vary, end, before, after, honorRequestCacheControl, isSlow, hasProxy } = given
        const proxy = hasProxy ? { 'x-forwarded-for': '203.0.113.9' } : {}
        let time = 0
        let pause = 0
        const now = performance.now.bind(performance)
        const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + pause)
        const shared = { store: sharedStore(() => time).store, tagIndex: memoryTagIndex() }
        const caches = Array.from({ length: given.processes }, () =>
          startCache({ ...shared, honorRequestCacheControl, maxBodyBytes: 9 }),
        )
        let turn = 0
        const get: (typeof caches)[0]['get'] = (...args) =>
          (caches[turn++ % caches.length] as (typeof caches)[0]).get(...args)
        let version = 'old'
        let isDown = false
        const answer = async ({ headers }: Request) => {
          if (isDown) return answers[given.outage]?.()
          if (isSlow) await rest(0)
          if (hasProxy && !headers.has('x-forwarded-for')) return cacheable('internal')
          const varied = { ...(vary.length > 0 && { Vary: vary.join() }) }
          const { 'x-theme': theme, ...dropped } = oddFields
          const isOdd = Object.entries(dropped).some(([name, value]) => headers.get(name) === value)
          const isThemeFirst = given.isThemeFirst || !failures.includes(given.themeAnswer)
          if (headers.get('x-theme') === theme && (isThemeFirst || !isOdd)) return answers[given.themeAnswer]?.()
          if (isOdd) return { ...answers, ...replacements }[given.answer]?.(varied)
          return cacheable(version, {
            'Cache-Control': lifetime,
            ETag: `"${version}"`,
            ...varied,
          })
        }
        for (const cache of caches) cache.serve(answer)
        const visit = (fields: Record<string, string>) => {
          const entries = Object.entries(fields).filter(([name]) => !(name in html) || usual(name, given) !== undefined)
          return get('/', { ...proxy, ...Object.fromEntries(entries) })
        }
        const attackBy = ({ fields, others, method, leaves }: Attack) => {
          const client = new AbortController()
          const usualFields = Object.entries(html).filter(([name]) => usual(name, given) !== undefined)
          const odd = fields.map((name) => [name, oddFields[name]])
          const headers = {
            ...proxy,
            ...Object.fromEntries([...usualFields, ...odd, ...others.map((name) => [name, otherFields[name]])]),
          }
          get('/', headers, { method, signal: client.signal }).catch(() => {})
          if (leaves) setTimeout(() => client.abort())
        }
        for (const fields of [...visitors, ...[...visitors].reverse()]) await visit(fields)
        version = 'new'
        if (end === 'expires') time += 61_000
        if (end === 'is forgotten') time += 99_999_000
        for (const each of before) attackBy(each)
        await rest(1)
        if (end === 'hard' || end === 'soft') await caches[0]?.invalidate(['document'], { mode: end })
        if (end === 'POST') await get('/', proxy, { method: 'POST' })
        if (given.outage !== 'none') {
          isDown = true
          for (const fields of visitors) visit(fields).catch(() => {})
          for (const each of given.during) attackBy(each)
          await rest(1)
          isDown = false
          pause += 1_100
        }
        for (const each of after) attackBy(each)
        const visitAll = async () => {
          const bodies: string[] = visitors.map(() => 'none yet')
          visitors.forEach((fields, index) => {
            visit(fields).then(
              ({ body }) => bodies.splice(index, 1, body),
              (error) => bodies.splice(index, 1, String(error)),
            )
          })
          for (let round = 0; round < 12 && bodies.includes('none yet'); round++) await rest(1)
          return bodies
        }
        const mayBeOld = end === 'soft' || given.outage !== 'none' || lifetime.includes('while-revalidate')
        for (const body of await visitAll()) expect(mayBeOld ? ['old', 'new'] : ['new']).toContain(body)
        await rest(1)
        if (given.outage !== 'none') {
          pause += 70_000 // longer than any back-off
          await visitAll()
          await rest(1)
        }
        expect(await visitAll()).toEqual(visitors.map(() => 'new'))
        clock.mockRestore()
      }),
      { numRuns: short(150, 4000) },
    )
  },
  short(120_000, 600_000),
)
