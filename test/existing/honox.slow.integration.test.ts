import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../setup/free-port.js'
import { installPackages } from '../setup/install-packages.js'

// Sites in Vite's development, whose plugins answer some addresses before the app, and load its modules in their way.

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = join(import.meta.dirname, 'honox')
const secret = 'between-us-and-no-one-else'
const warning = 'Vite: expected the plugin of this package, got none'
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  await installPackages(here)
  // Copied as in a user's install, because Vite loads a linked package as a part of the site.
  const installed = join(here, 'node_modules/sitewright')
  await rm(installed, { recursive: true, force: true })
  await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
}, 600_000)
afterAll(() => Promise.all(stops.map((stop) => stop())))

/** Starts Vite with an entry of the site, and perhaps with the plugin. */
async function start(entry: string, plugin = '') {
  const port = String(await freePort())
  const env = {
    ...process.env,
    NODE_ENV: 'development' as const,
    ENTRY: entry,
    PLUGIN: plugin,
    MEDIA: join(root, 'examples/site/media'),
    REVALIDATE_SECRET: secret,
  }
  const args = ['node_modules/vite/bin/vite.js', '--port', port, '--strictPort']
  const child = spawn(process.execPath, args, { cwd: here, env, stdio: 'pipe' })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (log += data))
  const ended = once(child, 'close')
  stops.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://localhost:${port}` // Vite listens on one of both addresses
  await vi.waitFor(() => fetch(url), 60_000)
  return { url, log: () => log }
}

/** The visits of two visitors, with a form, and a file that Vite answers. */
const visits: [string, RequestInit?][] = [
  ['/'],
  ['/pages/photos'],
  ['/pages/photos'],
  ['/pages/photos', { method: 'HEAD' }],
  ['/pages/account'],
  ['/pages/account', { method: 'POST', body: new URLSearchParams({ name: 'Ada' }), redirect: 'manual' }],
  ['/pages/account', { headers: { cookie: 'session=Ada' } }],
  ['/pages/stream'],
  ['/missing'],
  ['/missing', { method: 'DELETE' }],
  ['/static/site.css'],
]

async function readAnswer(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Returns what a visitor sees of each answer. */
async function visitAll(url: string) {
  const answers: unknown[] = []
  for (const [path, init] of visits) {
    const { status, headers, ...response } = await readAnswer(url + path, init)
    const fields = ['content-type', 'location', 'vary'].map((name) => headers.get(name))
    // A page that is stored gets an entity tag, and its first visitor's answer is private.
    if (path !== '/pages/photos') fields.push(headers.get('cache-control'))
    answers.push([path, status, ...fields, headers.getSetCookie(), response.text.replace(/rendered [\d.]+/, '')])
  }
  return answers
}

it.each([
  ['HonoX', './app/server.ts'],
  ['@hono/vite-dev-server', './app/hono-app.ts'],
])('a site in the development of %s answers as without sitewright, with its parts beside', async (_, entry) => {
  const own = await start(entry)
  const { url, log } = await start(entry.replace('.ts', '-with-sitewright.ts'), 'yes')
  expect(await visitAll(url)).toEqual(await visitAll(own.url))
  const read = async (path: string, init?: RequestInit) => {
    const { status, headers, text } = await readAnswer(url + path, init)
    return [status, headers.get('content-type'), headers.get('cache-status'), text]
  }
  const stored = await read('/pages/photos')
  expect(stored[2]).toContain('sitewright; hit')
  expect(await read('/pages/photos')).toEqual(stored)
  const headers = { authorization: `Bearer ${secret}` }
  expect((await read('/api/revalidate?path=/pages/photos', { method: 'POST', headers }))[0]).toBe(200)
  expect((await read('/pages/photos'))[3]).not.toBe(stored[3])
  const picture = `/_image/${Buffer.from('/media/black-canyon.jpg').toString('base64url')}?width=640`
  expect((await read(picture, { headers: { accept: 'image/avif' } })).slice(0, 2)).toEqual([200, 'image/avif'])
  const styleguide = await read('/styleguide')
  expect([styleguide[0], styleguide[3]]).toEqual([200, expect.stringContaining('Tides')])
  expect((await read('/sitewright/styleguide.css')).slice(0, 2)).toEqual([200, 'text/css; charset=utf-8'])
  expect((await read('/sitewright/styleguide.js')).slice(0, 2)).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(log()).not.toMatch(/error|expected/i)
})

it.each([
  ['the first start', './app/server-with-sitewright.ts', '/', 500],
  ['the first page of the styleguide', './app/hono-app-with-sitewright.ts', '/styleguide', 200],
])('without the plugin, %s says the line', async (_, entry, path, status) => {
  const { url, log } = await start(entry)
  expect(log().includes(warning)).toBe(status === 500)
  for (let visit = 0; visit < 2; visit++) expect((await readAnswer(url + path)).status).toBe(status)
  await vi.waitFor(() => expect(log()).toContain(warning), 20_000)
  expect(log().split(warning)).toHaveLength(2)
})
