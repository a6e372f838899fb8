import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findRuntime } from '../runtimes/start.js'
import { freePort } from '../setup/free-port.js'
import { installPackages } from '../setup/install-packages.js'

// Each framework builds a site with its recipe of adapters/recipes.md, and starts it as its documentation says.

const here = import.meta.dirname
const root = fileURLToPath(new URL('../../', import.meta.url))
const secret = 'between-us-and-no-one-else'
const environment = {
  ...process.env,
  NODE_ENV: 'production' as const,
  ASTRO_TELEMETRY_DISABLED: '1',
  HOST: '127.0.0.1',
  MEDIA: join(root, 'examples/site/media'),
  REVALIDATE_SECRET: secret,
}

const vite = ['vite/bin/vite.js', 'build']
const frameworks = [
  { name: 'fastify', start: ['server.js'] },
  {
    name: 'react-router',
    build: ['@react-router/dev/bin.js', 'build'],
    start: ['server.js'],
    files: 'build/client/assets',
  },
  { name: 'astro', build: ['astro/bin/astro.mjs', 'build'], start: ['dist/server/entry.mjs'] },
  { name: 'sveltekit', build: vite, start: ['build/index.js'] },
  { name: 'nitro', build: ['nitro/dist/cli/index.mjs', 'build'], start: ['.output/server/index.mjs'] },
  {
    name: 'tanstack-start',
    build: vite,
    start: ['../node_modules/srvx/bin/srvx.mjs', '--prod', '-s', '../client', 'dist/server/server.js'],
  },
]

let node: string

beforeAll(async () => {
  await installPackages(here)
  // Most of these frameworks no longer support Node 20.
  node = findRuntime('node24', here)
  // Copied as in a user's install, and not linked, because bundlers treat a linked package as a part of the site.
  const installed = join(here, 'node_modules/sitewright')
  await rm(installed, { recursive: true, force: true })
  await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
}, 600_000)

async function startServer(cwd: string, args: readonly string[]) {
  const port = String(await freePort())
  const child = spawn(node, args, { cwd, env: { ...environment, PORT: port }, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  const url = `http://localhost:${port}` // some listen on IPv6 only
  const close = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const answer = async () => {
    if (child.exitCode === null) await (await fetch(url)).text()
  }
  await vi.waitFor(answer, { timeout: 30_000, interval: 100 })
  return { url, close }
}

describe.each(frameworks)('$name', ({ name, build = [], start, files }) => {
  let server: Awaited<ReturnType<typeof startServer>>
  const readPage = async () => {
    const page = await fetch(server.url)
    const html = await page.text()
    return { html, at: /at [\d.]+/.exec(html)?.[0], cacheStatus: page.headers.get('cache-status') }
  }
  const purge = async (token: string) => {
    // Astro and SvelteKit treat a POST without a type as a form of another site.
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${server.url}/api/revalidate`, { method: 'POST', headers, body: '{}' })
    return [answer.status, ((await answer.json()) as { revalidated: boolean }).revalidated]
  }

  beforeAll(async () => {
    const cwd = join(here, name)
    const [script = '', ...args] = build
    if (script) {
      const command = [join(here, 'node_modules', script), ...args]
      await promisify(execFile)(node, command, { cwd, env: environment, maxBuffer: 2 ** 26 })
    }
    server = await startServer(cwd, start)
  }, 180_000)
  afterAll(() => server?.close())

  it('a site serves the picture of its page, in a format that the browser accepts', async () => {
    const [source] = /\/_img\/[^"&]+/.exec((await readPage()).html) ?? []
    const picture = await fetch(server.url + source, { headers: { Accept: 'image/avif' } })
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    expect((await fetch(`${server.url}${source}1`)).status).toBe(400)
  })

  it('a site keeps its page until a revalidation', async () => {
    const { at } = await readPage()
    expect(at).toBeTruthy()
    expect(await readPage()).toMatchObject({ at, cacheStatus: expect.stringContaining('sitewright; hit') })
    expect(await purge('wrong')).toEqual([401, false])
    expect((await readPage()).at).toBe(at)
    expect(await purge(secret)).toEqual([200, true])
    const nextPage = await readPage()
    expect(nextPage.at).toBeTruthy()
    expect(nextPage.at).not.toBe(at)
  })

  it('a site renders a separate page for a visitor who is signed in', async () => {
    const { at } = await readPage()
    const ownPage = await fetch(server.url, { headers: { cookie: 'theme=dark; session=1' } })
    expect(ownPage.headers.get('cache-status')).toContain('sitewright; fwd=bypass')
    expect(ownPage.headers.get('cache-control')).toBe('private')
    expect(/at [\d.]+/.exec(await ownPage.text())?.[0]).not.toBe(at)
    expect((await readPage()).at).toBe(at)
  })

  it('a site leaves other addresses to the framework, and serves its files', async () => {
    for (const file of files ? await readdir(join(here, name, files)) : []) {
      const response = await fetch(`${server.url}/assets/${file}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
      await response.text()
    }
    const missing = await fetch(`${server.url}/missing`)
    await missing.text()
    expect(missing.status).toBe(404)
  })
})
