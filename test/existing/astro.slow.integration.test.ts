import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { freePort } from '../setup/free-port.js'
import { installPackages } from '../setup/install-packages.js'

// A site of Astro 5 with pictures of its own, as it was, and with the recipe of adapters/recipes.md word for word.

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = import.meta.dirname
const built = join(here, 'built-astro')
const secret = 'between-us-and-no-one-else'
const stops: (() => Promise<unknown>)[] = []
let own: string
let site: string

beforeAll(async () => {
  await installPackages(here)
  await rm(built, { recursive: true, force: true })
  for (const name of ['own', 'site']) {
    await cp(join(here, 'astro'), join(built, name), { recursive: true })
    await cp(join(root, 'examples/site/media/march-pastoral.jpg'), join(built, name, 'src/photo.jpg'))
  }
  // The site as it was has no page of this package.
  for (const path of ['pages/styleguide', 'pages/sitewright', 'styleguide.js'])
    await rm(join(built, 'own/src', path), { recursive: true })
  const recipe = join(root, 'test/frameworks')
  await cp(join(recipe, 'astro/src/middleware.js'), join(built, 'site/src/middleware.js'))
  await cp(join(recipe, 'site.js'), join(built, 'site.js'))
  // Copied as in a user's install, because Vite bundles a linked package. Its own dependencies are linked beside it.
  const modules = join(built, 'node_modules')
  await cp(join(root, 'dist'), join(modules, 'sitewright/dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(modules, 'sitewright/package.json'))
  for (const name of [...Object.keys(manifest.dependencies), 'undici']) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  own = await start('own')
  site = await start('site')
}, 600_000)
afterAll(() => Promise.all(stops.map((stop) => stop())))

/** Builds a site, and starts it. */
async function start(name: string) {
  const cwd = join(built, name)
  const port = String(await freePort())
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    ASTRO_TELEMETRY_DISABLED: '1',
    HOST: '127.0.0.1',
    PORT: port,
    MEDIA: join(root, 'examples/site/media'),
    REVALIDATE_SECRET: secret,
  }
  const astro = join(here, 'node_modules/astro/astro.js')
  await promisify(execFile)(process.execPath, [astro, 'build'], { cwd, env, maxBuffer: 2 ** 26 })
  const child = spawn(process.execPath, ['dist/server/entry.mjs'], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  stops.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(`${url}/missing`), 30_000)
  return url
}

async function read(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}

it('the pictures of Astro are as they were', async () => {
  const pages = await Promise.all([own, site].map((origin) => read(origin)))
  const [sources, sourcesBeside] = pages.map(({ text }) =>
    [...text.matchAll(/\/_image\?[^" ]+/g)].map(([source]) => source),
  )
  expect(sources?.length).toBeGreaterThan(3)
  expect(sourcesBeside).toEqual(sources)
  for (const source of sources?.map((source) => source.replaceAll('&#38;', '&').replaceAll('&amp;', '&')) ?? []) {
    const [picture, beside] = await Promise.all([own, site].map((origin) => read(origin + source)))
    expect([beside?.status, beside?.headers.get('content-type')]).toEqual([200, picture?.headers.get('content-type')])
    expect(beside?.headers.get('cache-control')).toBe(picture?.headers.get('cache-control'))
    expect(picture && beside?.bytes.equals(picture.bytes)).toBe(true)
  }
})

it('pictures of this package, the cache and a purge are beside them', async () => {
  const picture = `/_img/${Buffer.from('/media/march-pastoral.jpg').toString('base64url')}?width=640`
  const { status, headers } = await read(site + picture, { headers: { accept: 'image/avif' } })
  expect([status, headers.get('content-type')]).toEqual([200, 'image/avif'])
  const stored = await read(site)
  expect((await read(site)).headers.get('cache-status')).toContain('sitewright; hit')
  const bearer = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  expect((await read(`${site}/api/revalidate`, { method: 'POST', headers: bearer, body: '{}' })).status).toBe(200)
  expect((await read(site)).text).not.toBe(stored.text)
})

it('the styleguide shows a component of Astro', async () => {
  const page = await read(`${site}/styleguide/button`)
  const [, frame = ''] = /<iframe[^>]* src="([^"]+)"/.exec(page.text) ?? []
  expect((await read(site + frame)).text).toContain('class="button quiet">Read on</a>')
  expect((await read(`${site}/sitewright/styleguide.css`)).status).toBe(200)
})
