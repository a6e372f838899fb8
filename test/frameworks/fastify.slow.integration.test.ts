import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../setup/free-port.js'
import { installPackages } from '../setup/install-packages.js'

// A site of Fastify with @fastify/helmet and @fastify/session, as it was, and with the recipe of adapters/recipes.md.

const root = fileURLToPath(new URL('../../', import.meta.url))
const secret = 'between-us-and-no-one-else'
const picture = `/_img/${Buffer.from('/media/march-pastoral.jpg').toString('base64url')}?width=640`
const stops: (() => Promise<unknown>)[] = []
let own: string
let site: string

beforeAll(async () => {
  await installPackages(import.meta.dirname)
  const installed = join(import.meta.dirname, 'node_modules/sitewright')
  await rm(installed, { recursive: true, force: true })
  await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
  own = await start('own.js')
  site = await start('existing.js')
}, 600_000)
afterAll(() => Promise.all(stops.map((stop) => stop())))

async function start(file: string) {
  const port = String(await freePort())
  const media = join(root, 'examples/site/media')
  const env = { ...process.env, NODE_ENV: 'production' as const, PORT: port, MEDIA: media, REVALIDATE_SECRET: secret }
  const cwd = join(import.meta.dirname, 'fastify')
  const child = spawn(process.execPath, [file], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  stops.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://localhost:${port}`
  await vi.waitFor(() => fetch(url), 30_000)
  return url
}

async function read(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The visits of a guest, and of a visitor who signs in, as the visitor sees them. */
async function visitAll(origin: string) {
  let cookie = ''
  const visit = async (path: string, init: RequestInit = {}) => {
    const headers = { ...init.headers, ...(cookie && { cookie }) }
    const answer = await read(origin + path, { ...init, headers, redirect: 'manual' })
    const [sessionCookie = ''] = answer.headers.getSetCookie()
    cookie = sessionCookie.split(';')[0] || cookie
    const fields = [...answer.headers].filter(([name]) => !/^(?:date|set-cookie|cache-status)$/.test(name))
    return [path, answer.status, fields, sessionCookie.replace(/=[^;]+/, ''), answer.text]
  }
  const body = JSON.stringify({ name: 'Ada' })
  const form = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const answers = []
  for (const path of ['/account', '/missing', '/fails']) answers.push(await visit(path))
  answers.push(await visit('/account', form), await visit('/account'), await visit('/account', { method: 'DELETE' }))
  return answers
}

it('a site that exists answers as before, with security headers, sessions, forms and errors', async () => {
  expect(await visitAll(site)).toEqual(await visitAll(own))
})

it('pictures have the security headers and no cookie of a session', async () => {
  const { status, headers } = await read(site + picture, { headers: { accept: 'image/avif' } })
  expect([status, headers.get('content-type')]).toEqual([200, 'image/avif'])
  expect(headers.get('strict-transport-security')).toContain('max-age')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('cache-control')).toContain('public')
  expect(headers.getSetCookie()).toEqual([])
})

it('a route that exists is stored with its security headers, until it is purged', async () => {
  await read(`${site}/photos`)
  const stored = await read(`${site}/photos`)
  const hit = await read(`${site}/photos`)
  expect(hit.headers.get('cache-status')).toContain('sitewright; hit')
  expect(hit.text).toBe(stored.text)
  expect(hit.headers.get('content-security-policy')).toBeTruthy()
  const headers = { authorization: `Bearer ${secret}` }
  const purge = await read(`${site}/api/revalidate?path=/photos`, { method: 'POST', headers })
  expect([purge.status, purge.headers.has('strict-transport-security')]).toEqual([200, true])
  expect((await read(`${site}/photos`)).text).not.toBe(hit.text)
})
