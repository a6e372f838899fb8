import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cacheStatusOf, parse, requestOf, sendRaw, toOwn } from '../in-front-of/compare.js'
import { installPackages } from '../setup/install-packages.js'
import { environment, secret, startSite } from './start.js'

// A site of React Router on Express, whose server is given to `inFrontOf`, as docs/start/others.md says.

const here = import.meta.dirname
const site = join(here, 'react-router')
let plain: Awaited<ReturnType<typeof startSite>>
let cached: typeof plain

beforeAll(async () => {
  await installPackages(here)
  const build = [join(here, 'node_modules/@react-router/dev/bin.js'), 'build']
  await promisify(execFile)(process.execPath, build, { cwd: site, env: environment })
  plain = await startSite(site, 'plain.js')
  cached = await startSite(site, 'server.js')
}, 600_000)
afterAll(async () => {
  await plain?.close()
  await cached?.close()
})

const nonce = [/nonce-[^']*/g, /nonce="[^"]*"/g, /\\"nonce\\",\\"[^"]*/g, /"nonce","[^"]*/g]
const form = (text: string) => ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${text.length}`]
const post = (path: string, body: string, fields: string[] = []) =>
  requestOf(path, [...form(body), ...fields], 'POST', body)

/** Sends a request to the site with and without the cache, and expects the same answer. */
async function compare(request: string) {
  const [before, after] = await Promise.all([sendRaw(plain.url, request), sendRaw(cached.url, request)])
  // The server sends files and pictures itself, and what is for all says so.
  const isOwn = !/^$|; (?:hit|stored|collapsed)/.test(cacheStatusOf(after))
  const encodingOf = (raw: string) => /^Content-Encoding: .*/im.exec(raw.split('\r\n\r\n', 1)[0] ?? '')?.[0]
  expect(parse(after, nonce), request).toEqual(parse(isOwn ? toOwn(before) : before, nonce))
  const answer = parse(after)
  // The length of a stored body is known, and `compression` leaves out what is short.
  if (isOwn || answer.body.length > 1024) expect(encodingOf(after), request).toEqual(encodingOf(before))
  return { ...answer, raw: after, cacheStatus: cacheStatusOf(after) }
}

/** Reads a page, and what a client's navigation to it reads. */
async function read(path: string) {
  const [page, data] = [
    await compare(requestOf(path)),
    await compare(requestOf(path === '/' ? '/_root.data' : `${path}.data`)),
  ]
  return { texts: [page.body, data.body], statuses: [page.cacheStatus, data.cacheStatus] }
}

const purge = async (query: string, body?: string) => {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${cached.url}/api/revalidate${query}`, {
    method: 'POST',
    headers,
    ...(body && { body }),
  })
  expect(await response.json()).toMatchObject({ revalidated: true })
}

/** Reads a page and its data until both are stored. */
async function store(path: string) {
  for (let count = 0; count < 2; count++) await read(path)
  expect((await read(path)).statuses).toEqual([expect.stringContaining('; hit'), expect.stringContaining('; hit')])
}

it('pages, data, files, redirects, errors and forms are as without the cache', async () => {
  const files = readdirSync(join(site, 'build/client/assets')).map((name) => `/assets/${name}`)
  const pages = ['/', '/_root.data', '/who', '/who.data', '/later', '/later.data', '/account', '/account.data']
  const others = ['/old', '/old.data', '/feed.xml', '/missing', '/missing.data', '/assets/missing.js', '/robots.txt']
  for (let count = 0; count < 3; count++) {
    for (const path of [...pages, ...others, ...files]) {
      const { cacheStatus } = await compare(requestOf(path))
      expect(/; hit/.test(cacheStatus), path).toBe(count > 0 && pages.slice(0, 6).includes(path))
      if (!path.startsWith('/account')) await compare(requestOf(path, ['Accept-Encoding: gzip']))
      await compare(requestOf(path, [], 'HEAD'))
    }
  }
  expect((await compare(requestOf('/who'))).fields).toContainEqual(['content-type', 'text/html; charset=utf-8'])
  const refused = await compare(post('/who', 'name=Bob&address=x'))
  expect(refused.status).toContain('400')
  await compare(post('/who.data', 'name=Bob&address=x'))
})

it('a visitor who signs in has pages of their own, with a nonce', async () => {
  const signedIn = await compare(post('/account', 'name=Grace'))
  const cookie = /^Set-Cookie: ([^;]*)/im.exec(signedIn.raw)?.[1]
  for (const path of ['/account', '/account.data', '/who', '/']) {
    const own = await compare(requestOf(path, [`Cookie: ${cookie}`]))
    expect(own.cacheStatus).toMatch(/fwd=bypass.*; detail=cookie/)
    if (path === '/account') expect(own.raw).toMatch(/nonce-.{24}'.*<p id="name">Grace</s)
  }
})

it('a page and its data are one for purges by the path of either, and by a tag', async () => {
  for (const [query, body] of [['?path=/who'], ['?path=/who.data'], ['', '{"tags":["names"]}'], ['']] as const) {
    await store('/who')
    await purge(query, body)
    for (const status of (await read('/who')).statuses) expect(status).toContain('; stored')
  }
  await store('/')
  await purge('?path=/')
  for (const status of (await read('/')).statuses) expect(status).toContain('; stored')
})

it.each(['/who', '/who.data'])('a form that is sent to %s purges the page and its data', async (target) => {
  await store('/who')
  const name = `Größe of ${target}`
  const sent = await compare(post(target, `name=${encodeURIComponent(name)}`))
  expect(sent.status).toMatch(/302|202/)
  const { texts, statuses } = await read('/who')
  for (const text of texts) expect(Buffer.from(text, 'latin1').toString()).toContain(name)
  for (const status of statuses) expect(status).toContain('; stored')
})

it('pictures are there beside it', async () => {
  const source = Buffer.from('/media/march-pastoral.jpg').toString('base64url')
  const picture = await fetch(`${cached.url}/_image/${source}?width=640`, { headers: { Accept: 'image/avif' } })
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
})
