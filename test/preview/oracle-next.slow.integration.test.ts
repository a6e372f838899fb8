import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createRandom } from '../../core/content/testing/graph.js'
import { createPreview } from '../../core/preview/index.js'
import { startNginx } from '../cache/nginx.js'
import { buildSite, startSite } from '../next-prerender/next.js'
import { rounds } from '../setup/rounds.js'
import { draftText, nginxRules, publishedText, secret, visit } from './oracle.js'

// The test of oracle.ts on Next.js, with `draftMode()`, static pages (ISR) and `'use cache'`.

let site: Awaited<ReturnType<typeof startSite>>
let nginx: Awaited<ReturnType<typeof startNginx>>
const preview = createPreview({ secret, verify: [] })

beforeAll(async () => {
  const folder = join(import.meta.dirname, 'next')
  await buildSite(folder, { PREVIEW_SECRET: secret })
  site = await startSite(folder, { PREVIEW_SECRET: secret })
  nginx = await startNginx(site.url, nginxRules)
  await vi.waitFor(() => fetch(nginx.url), 20_000)
}, 480_000)
afterAll(async () => {
  await nginx?.stop()
  await site?.close()
})

const open = async (headers: Record<string, string> = {}) => {
  const url = `${site.url}/api/preview?secret=of+the+CMS&path=/articles/boats`
  const response = await fetch(url, { redirect: 'manual', headers })
  return { response, cookies: response.headers.getSetCookie() }
}
const pairs = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';', 1)[0] as string)
const read = async (path: string, cookie: string) =>
  (await fetch(site.url + path, { headers: { Cookie: cookie } })).text()

it('the handshake sets the cookies of the preview and of Next.js with the same attributes', async () => {
  const { response, cookies } = await open({ 'Sec-Fetch-Dest': 'iframe' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/articles/boats'])
  expect(cookies.map((cookie) => cookie.replace(/=[^;]*/, ''))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^sitewright-preview-frame;.*Max-Age=28800; Secure; HttpOnly; SameSite=none; Partitioned/i),
      expect.stringMatching(/^__prerender_bypass;.*Max-Age=28800; Secure; HttpOnly; SameSite=none; Partitioned/i),
    ]),
  )
})

it("a draft is shown only with both cookies, also on a page with 'use cache', and is not cached", async () => {
  const [own, nextOwn] = pairs((await open()).cookies)
    .sort()
    .reverse() as [string, string]
  expect([own, nextOwn].map((cookie) => cookie.split('=', 1)[0])).toEqual(['sitewright-preview', '__prerender_bypass'])
  for (const path of ['/', '/articles/boats', '/cached']) {
    expect(await read(path, '')).toContain(publishedText)
    expect(await read(path, `${own}; ${nextOwn}`)).toContain(draftText)
    for (const cookie of ['', own, nextOwn, `${own}x; ${nextOwn}`])
      expect(await read(path, cookie)).not.toContain(draftText)
  }
})

it('the exit deletes all cookies', async () => {
  const response = await fetch(`${site.url}/api/preview/exit`, { method: 'POST', redirect: 'manual' })
  const cookies = response.headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'))
  expect(pairs(cookies).sort()).toEqual([
    '__prerender_bypass=',
    '__prerender_bypass=',
    'sitewright-preview-frame=',
    'sitewright-preview=',
  ])
})

it('no draft is in an answer without a valid cookie', async () => {
  const beside = pairs((await open()).cookies).find((cookie) => cookie.startsWith('__prerender')) as string
  const purge = () => fetch(`${site.url}/api/purge`, { method: 'POST' })
  const { pick } = createRandom(1)
  const target = { urls: [site.url, nginx.url], preview, purge }
  expect(await visit({ ...target, beside }, rounds(1000), pick)).toBeGreaterThan(0)
}, 240_000)
