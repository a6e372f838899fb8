import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../setup/install-packages.js'
import { findRuntime, type Runtime, start } from './start.js'

// The built package on each runtime: the same site, and the same requests.

const here = import.meta.dirname
const media = fileURLToPath(new URL('../../examples/site/media/', import.meta.url))
const compatibilityDate = '2026-11-01'
let folder: string

beforeAll(async () => {
  await installPackages(here)
  folder = await mkdtemp(join(tmpdir(), 'sitewright-runtimes-'))
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const onNode =
  (runtime: Runtime, ...options: string[]) =>
  () =>
    start(findRuntime(runtime), [...options, 'node-server.js', media, join(folder, runtime)])

const onFetch =
  (runtime: Runtime, ...options: string[]) =>
  () =>
    start(findRuntime(runtime), [...options, 'fetch-server.js'])

/** @param flags The worker's compatibility flags, such as those that turn Node's modules off. */
const onWorkerd =
  (...flags: string[]) =>
  async () => {
    const name = ['worker', ...flags].join('-')
    await build({
      entryPoints: [join(here, 'worker.js')],
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*', ...(flags.length > 0 ? [] : ['node:*'])],
      outfile: join(folder, `${name}.js`),
      logLevel: 'error',
    })
    const worker = `(
    modules = [(name = "worker", esModule = embed "${name}.js")],
    compatibilityDate = "${compatibilityDate}", compatibilityFlags = ${JSON.stringify(flags)})`
    await writeFile(
      join(folder, `${name}.capnp`),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const worker :Workerd.Worker = ${worker};
`,
    )
    return start(findRuntime('workerd'), ['serve', '--control-fd=1', join(folder, `${name}.capnp`)])
  }

const servers = [
  { name: 'Node 22', start: onNode('node22'), picture: 'image/avif' },
  { name: 'Node 24', start: onNode('node24'), picture: 'image/avif' },
  { name: 'Node 26', start: onNode('node26'), picture: 'image/avif' },
  { name: 'Bun, by node:http', start: onNode('bun'), picture: 'image/avif' },
  { name: 'Deno, by node:http', start: onNode('deno', 'run', '-A'), picture: 'image/avif' },
  { name: 'Bun.serve', start: onFetch('bun'), picture: 'image/png' },
  { name: 'Deno.serve', start: onFetch('deno', 'run', '-A'), picture: 'image/png' },
  { name: 'workerd', start: onWorkerd(), picture: 'image/png' },
  {
    name: 'workerd without nodejs_compat',
    start: onWorkerd('no_nodejs_compat', 'no_nodejs_compat_v2'),
    picture: 'image/png',
    knowsRender: false,
  },
]

describe.each(servers)('$name', ({ start: startServer, picture, knowsRender = true }) => {
  let server: Awaited<ReturnType<typeof start>>
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(server.url + path, init)
    const { status, headers } = response
    return { status, headers, body: await response.text(), cacheStatus: headers.get('cache-status') }
  }
  const purge = (path: string, token = 'between-us-and-no-one-else') =>
    ask(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })

  beforeAll(async () => {
    server = await startServer()
  }, 30_000)
  afterAll(() => server?.close())

  it('serves a picture at the widths and of the sources that are allowed', async () => {
    const image = (source: string, width: number) =>
      `/_image/${Buffer.from(source).toString('base64url')}?width=${width}`
    const headers = { Accept: 'image/avif,image/webp' }
    const served = await ask(image('/media/march-pastoral.jpg', 640), { headers })
    expect([served.status, served.headers.get('content-type')]).toEqual([200, picture])
    const etag = served.headers.get('etag')
    if (etag) {
      const again = await ask(image('/media/march-pastoral.jpg', 640), {
        headers: { ...headers, 'If-None-Match': etag },
      })
      expect(again.status).toBe(304)
    }
    expect((await ask(image('/media/march-pastoral.jpg', 641))).body).toBe('{"error":"Invalid width"}')
    expect((await ask(image('/private/a.jpg', 640))).status).toBe(403)
  })

  it('renders a page once, also for simultaneous requests', async () => {
    const first = await Promise.all(Array.from({ length: 5 }, () => ask('/page/once')))
    expect(new Set(first.map(({ body }) => body)).size).toBe(1)
    const nextResponse = await ask('/page/once')
    expect(nextResponse.body).toBe(first[0]?.body)
    expect(nextResponse.cacheStatus).toMatch(/^sitewright; hit; ttl=\d+$/)
  })

  it('renders a page again after a purge, which needs the token', async () => {
    const { body } = await ask('/page/purged')
    expect(await purge('/api/revalidate', 'wrong')).toMatchObject({ status: 401 })
    expect((await ask('/page/purged')).body).toBe(body)
    expect(await purge('/api/revalidate')).toMatchObject({ status: 200, body: '{"revalidated":true}' })
    expect((await ask('/page/purged')).body).not.toBe(body)
  })

  it('refreshes a page in the background after a soft purge', async () => {
    const { body } = await ask('/page/refreshed')
    await purge('/api/refresh')
    expect(await ask('/page/refreshed')).toMatchObject({ body, cacheStatus: expect.stringContaining('soft-purged') })
    const read = async () => (await ask('/page/refreshed')).body
    await expect.poll(read, { timeout: 10_000 }).not.toBe(body)
  })

  it('gives a page the tags of the content that it reads, or only collected tags if the runtime does not track renders', async () => {
    const tagsOf = async (path: string) => {
      const { status, headers } = await ask(path)
      return [status, headers.get('cache-tag')]
    }
    expect(await tagsOf('/entry')).toEqual(knowsRender ? [200, 'document,/entry,entry:7'] : [500, null])
    expect(await tagsOf('/collected')).toEqual([200, 'entry:7'])
  })

  it('leaves previews out of the cache', async () => {
    const preview = { headers: { Cookie: 'preview=1' } }
    const page = await ask('/page/preview')
    const drafts = [await ask('/page/preview', preview), await ask('/page/preview', preview)]
    for (const { body, headers } of drafts)
      expect([body, headers.get('cache-control')]).toEqual([expect.stringMatching(/^draft/), 'private'])
    expect(drafts[0]?.body).not.toBe(drafts[1]?.body)
    expect((await ask('/page/preview')).body).toBe(page.body)
  })

  it('shows the styleguide', async () => {
    expect(await ask('/styleguide/salt')).toMatchObject({
      status: 200,
      body: expect.stringContaining('All about salt'),
    })
    expect(await ask('/styleguide/pepper')).toMatchObject({ status: 404 })
  })
})
