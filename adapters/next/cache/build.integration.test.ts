import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type TagIndex } from '../../../core/cache/index.js'
import { toPathname } from './build.js'
import { createCacheHandler } from './handler.js'

let site: string
let serverDistDir: string
const store = () => memoryStore({ maxBytes: 2 ** 24 })
const context = { kind: 'APP_PAGE', isFallback: false }
const write = async (path: string, content: unknown) => {
  const file = join(site, '.next', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
}

/** Runs the phase of `next build` that collects page data, and writes the files of that phase. */
async function build(tagIndex: TagIndex, options: { buildIdFirst?: boolean } = {}) {
  vi.stubEnv('NEXT_PHASE', 'phase-production-build')
  if (options.buildIdFirst) await write('BUILD_ID', 'build-1')
  ;new (createCacheHandler({ store: store(), tagIndex }))({ serverDistDir })
  await vi
    .waitFor(() => expect(existsSync(join(serverDistDir, 'app/sitewright-stamp.json'))).toBe(true), 500)
    .catch(() => {})
  await write('BUILD_ID', 'build-1')
  for (const [name, initialRevalidateSeconds] of [
    ['about', false],
    ['hourly', 3600],
  ]) {
    await write(`server/app/${name}.html`, `<p>${name}`)
    await write(`server/app/${name}.rsc`, 'rsc')
    await write(`server/app/${name}.meta`, { headers: { 'x-next-cache-tags': `document,${name}` }, cacheControl: { revalidate: initialRevalidateSeconds, expire: 31536000 } }) // biome-ignore format: a row
  }
  const routes = { '/about': { initialRevalidateSeconds: false }, '/hourly': { initialRevalidateSeconds: 3600 } }
  await write('prerender-manifest.json', { version: 4, routes, dynamicRoutes: {} })
  vi.unstubAllEnvs()
}
const start = (tagIndex: TagIndex, options: object = {}) => {
  const Handler = createCacheHandler({ store: store(), tagIndex, log: () => {}, ...options })
  return async (key: string, extraContext = {}) => {
    const cached = await new Handler({ serverDistDir }).get(key, { ...context, ...extraContext })
    return (cached?.value as { html?: string } | undefined)?.html
  }
}

beforeEach(async () => {
  site = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
  serverDistDir = join(site, '.next/server')
  await mkdir(join(serverDistDir, 'app'), { recursive: true })
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(site, { recursive: true })
})

it('a page of the build is served, stored, and gone after a purge', async () => {
  const tagIndex = memoryTagIndex()
  await tagIndex.purge(['document'], 'hard')
  await build(tagIndex)
  const shared = store()
  const get = start(tagIndex, { store: shared })
  expect(await get('/about')).toBe('<p>about')
  expect(await shared.get('next:build-1:/about')).toMatchObject({
    entry: { metadata: { tags: ['document', 'about'] } },
  })
  await rm(join(serverDistDir, 'app/about.html'))
  expect(await get('/about')).toBe('<p>about')
  await tagIndex.purge(['about'], 'hard')
  expect(await get('/about')).toBeUndefined()
  expect(await get('/hourly')).toBe('<p>hourly')
})

it.each(['hard', 'soft'] as const)(
  'a %s purge between the build and the start of the server takes effect',
  async (mode) => {
    const tagIndex = memoryTagIndex()
    await build(tagIndex)
    await tagIndex.purge(['about'], mode)
    const get = start(tagIndex)
    expect(await get('/about')).toBeUndefined()
    expect(await get('/hourly')).toBe('<p>hourly')
  },
)

it('a page whose revalidation is due is rendered again', async () => {
  const tagIndex = memoryTagIndex()
  await build(tagIndex)
  const builtAt = Date.now() / 1000 - 3601
  for (const name of ['about', 'hourly']) await utimes(join(serverDistDir, `app/${name}.meta`), builtAt, builtAt)
  const get = start(tagIndex)
  expect(await get('/hourly')).toBeUndefined()
  expect(await get('/about')).toBe('<p>about')
})

it('no page is served that the build does not list, and no file outside of the build', async () => {
  const tagIndex = memoryTagIndex()
  await build(tagIndex)
  await write('server/app/unlisted.html', '')
  const get = start(tagIndex)
  for (const key of ['/unlisted', '/__proto__', '/../../BUILD_ID', 'constructor', '']) {
    expect(await get(key), key).toBeUndefined()
  }
  expect(await get('/about', { kind: 'FETCH' })).toBeUndefined()
})

it.each<[string, (tagIndex: TagIndex) => Promise<unknown>]>([
  ['whose tag index was down', () => build({ ...memoryTagIndex(), stamp: () => Promise.reject(new Error('down')) })],
  ['that had begun to render before it was connected', (tagIndex) => build(tagIndex, { buildIdFirst: true })],
  ['of another tag index', () => build(memoryTagIndex())],
  ['with a broken stamp', async (tagIndex) => {
    await build(tagIndex)
    await write('server/app/sitewright-stamp.json', '{"epoch":')
  }],
  ['without a manifest', async (tagIndex) => {
    await build(tagIndex)
    await rm(join(site, '.next/prerender-manifest.json'))
  }],
])('the pages of a build %s are rendered again', async (_, runBuild) => {
  const tagIndex = memoryTagIndex()
  await runBuild(tagIndex)
  expect(await start(tagIndex)('/about')).toBeUndefined()
}) // biome-ignore format: rows

it('the log says once why pages of the build are rendered again', async () => {
  const tagIndex = memoryTagIndex()
  await build(tagIndex, { buildIdFirst: true })
  const log = vi.fn()
  const get = start(tagIndex, { log })
  for (let time = 0; time < 3; time++) await get('/about')
  expect(log.mock.calls).toEqual([
    ['Next.js cache: pages of the build are rendered again', { reason: '`next build` could not reach the tag index' }],
  ])
})

it.each([
  ['/about', '/about'],
  ['/index', '/'],
  ['/index/index', '/index'],
  ['/route-cache/APP_PAGE/8be5c7fd/$/index', '/'],
  ['/route-cache/APP_PAGE/8be5c7fd/$/a/$/b', '/a/$/b'],
])('the key %s is the pathname %s', (key, pathname) => {
  expect(toPathname(key).pathname).toBe(pathname)
})
