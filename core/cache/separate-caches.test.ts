import { beforeEach, expect, it, vi } from 'vitest'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  vi.resetModules() // warns once in a process
  warn.mockReset().mockImplementation(() => {})
})

type Module = typeof import('./index.js')
type Caches = Record<'first' | 'second', ReturnType<Module['createResponseCache']>>
const forAll = { 'Cache-Control': 's-maxage=60' }

it.each<[string, (module: Module) => object, (caches: Caches) => Promise<unknown>, boolean]>([
  ['one of them purges a tag of the page', () => ({}), ({ first }) => first.invalidate(['document']), true],
  ['one of them purges the page by its path', () => ({}), ({ first }) => first.invalidate(['/']), true],
  ['one of them purges another tag', () => ({}), ({ first }) => first.invalidate(['menu']), false],
  ['the cache that has the page purges it', () => ({}), ({ second }) => second.invalidate(['document']), false],
  [
    'both purge the page',
    () => ({}),
    ({ first, second }) => Promise.all([first.invalidate(['document']), second.invalidate(['document'])]),
    false,
  ],
  [
    'both have the same tag index',
    ({ memoryTagIndex }) => ({ tagIndex: memoryTagIndex() }),
    ({ first }) => first.invalidate(['document']),
    false,
  ],
  ['nothing is purged', () => ({}), async () => {}, false],
])('two caches in one process warn once if they purge separately: %s', async (_, optionsOf, purge, isWarned) => {
  const module = await import('./index.js')
  const options = optionsOf(module)
  const create = () => module.createResponseCache({ store: module.memoryStore({ maxBytes: 1_000_000 }), ...options })
  const caches = { first: create(), second: create() }
  const handler = caches.second.wrap(async () => new Response('page', { headers: forAll }))
  const visit = async () => (await handler(new Request('http://site.test/'))).text()
  await visit()
  await vi.waitFor(async () =>
    expect((await handler(new Request('http://site.test/'))).headers.get('cache-status')).toContain('hit'),
  )
  await purge(caches)
  for (let round = 0; round < 3; round++) await visit()
  expect(warn.mock.calls.map(([text]) => text)).toEqual(
    isWarned
      ? [
          expect.stringMatching(
            /^Response cache: another cache of this process has purged '.+', and this one still serves/,
          ),
        ]
      : [],
  )
})
