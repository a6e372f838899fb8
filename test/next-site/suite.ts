import { createHash } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { connectToChromium } from '../browser/chromium.js'
import {
  adaptToNext15,
  buildSite,
  copyStandalone,
  installSite,
  type RunningSite,
  startDevelopment,
  startStandalone,
} from './site.js'

interface SiteOptions {
  folder: string
  cacheComponents: boolean
  /** Folder of files that are added to the site. */
  added: string
}

/**
 * The site of the README of adapters/next, with the Next.js that is found from `folder`: built once, then in
 * development.
 *
 * @returns For the tests of the files that are added: the origin of the built site, and a function that starts it once
 * more.
 */
export function testNextSite({ folder, cacheComponents, added }: SiteOptions) {
  let built: string
  let copy: string
  let site: RunningSite

  const read = async (path: string, init?: RequestInit) => {
    const response = await fetch(site.url + path, init)
    const text = await response.text()
    const [, heading] = /<h1[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text) ?? []
    return { response, text, title: /<title>([^<]*)/.exec(text)?.[1], heading }
  }

  beforeAll(async () => {
    await installSite(folder)
    if (!cacheComponents) await adaptToNext15(folder)
    await cp(added, folder, { recursive: true })
    built = await buildSite(folder)
    copy = await copyStandalone(folder)
    site = await startStandalone(copy, { STYLEGUIDE_ENABLED: 'true' })
  }, 600_000)

  afterAll(async () => {
    await site?.close()
    if (copy) await rm(copy, { recursive: true, force: true })
  })

  it('the site builds, with its types, and no file of the package makes Next.js trace the whole project', () => {
    expect(built).not.toMatch(/warning/i)
    expect(built.includes('Cache Components enabled')).toBe(cacheComponents)
  })

  it.each([
    ['/styleguide', 'Styleguide', 'Styleguide'],
    ['/styleguide/colors', 'Colors – Styleguide', 'Colors'],
  ])('%s has the title %j, and is not indexed', async (path, title, heading) => {
    const page = await read(path)
    expect([page.response.status, page.title, page.heading]).toEqual([200, title, heading])
    expect(page.text).toMatch(/<meta name="robots" content="noindex, nofollow"/)
    // Nothing waits for an inline script to be shown.
    expect(page.text).not.toMatch(/<div hidden="" id="S:/)
  })

  it('an unknown page of the styleguide has neither title nor content', async () => {
    const page = await read('/styleguide/missing')
    // With Cache Components the head is sent before the page is rendered.
    expect(page.response.status).toBe(cacheComponents ? 200 : 404)
    expect([page.title === 'Styleguide', page.text.includes('sw-styleguide')]).toEqual([false, false])
    expect(page.text).toContain('<meta name="robots" content="noindex"')
  })

  it('the running server decides whether there is a styleguide', async () => {
    const off = await startStandalone(copy)
    try {
      const page = await fetch(`${off.url}/styleguide/colors`)
      expect(page.status).toBe(cacheComponents ? 200 : 404)
      const text = await page.text()
      expect([text.includes('Colors'), text.includes('sw-styleguide')]).toEqual([false, false])
    } finally {
      await off.close()
    }
  })

  it('colors of Tailwind 4 are read where only traced files are', async () => {
    const { text } = await read('/styleguide/colors')
    const ofPlugin = cacheComponents ? [] : ['plugged', '#123456']
    for (const color of ['brand', 'oklch(0.6 0.2 250)', 'sky', 'oklch(97.7% 0.013 236.62)', ...ofPlugin])
      expect(text).toContain(color)
  })

  it('the script of the styleguide is a route, revalidated by its ETag', async () => {
    const { response, text } = await read('/sitewright/styleguide.js')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(text).toMatch(/^"use strict";/)
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '' }
    expect((await read('/sitewright/styleguide.js', { headers })).response.status).toBe(304)
    const head = await read('/sitewright/styleguide.js', { method: 'HEAD' })
    expect([head.response.status, head.text]).toEqual([200, ''])
  })

  it.each([
    ['/sitewright/styleguide.js', 'DELETE', 'GET, HEAD'],
    ['/_image/L21lZGlhL2NhdC5qcGc?width=640', 'POST', 'GET, HEAD'],
    ['/api/revalidate', 'GET', 'POST'],
  ])('%s answers %s with 405 and its methods: %s', async (path, method, allow) => {
    const { response } = await read(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  it('next/image with quality gets images, decoded in processes of their own', async () => {
    const { text } = await read('/')
    const urls = [...text.matchAll(/\/_image\/[\w-]+\?[^" ]*/g)].map(([url]) => url.replaceAll('&amp;', '&'))
    expect(urls.length).toBeGreaterThan(1)
    for (const url of urls) {
      const response = await fetch(site.url + url, { headers: { Accept: 'image/avif' } })
      await response.arrayBuffer()
      expect([url, response.status, response.headers.get('content-type')], site.output()).toEqual([
        url,
        200,
        'image/avif',
      ])
    }
    expect(site.output()).not.toContain('decoded in the process of the site')
  })

  it("in Chromium, the styleguide's script and stylesheets are allowed by a policy of 'self'", async () => {
    const browser = await connectToChromium()
    try {
      const page = await browser.newPage()
      await page.route('**/styleguide/colors', async (route) => {
        const response = await route.fetch()
        // Next.js' own inline scripts by their digests: without them Next.js 15 takes the page away.
        const inline = (await response.text()).matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)
        const hashes = [...inline].map(
          ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
        )
        const policy = `default-src 'self'; script-src 'self' ${hashes.join(' ')}`
        const headers = { ...response.headers(), 'content-security-policy': policy }
        await route.fulfill({ response, headers })
      })
      await page.addInitScript(() => {
        const violations: string[] = []
        Object.assign(window, { violations })
        document.addEventListener('securitypolicyviolation', (event) => {
          violations.push(`${event.effectiveDirective} ${event.blockedURI}`)
        })
      })
      await page.goto(`${site.url}/styleguide/colors`)
      await page.locator('input[type=search]').fill('nothing of this name')
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await page.locator('.sw-styleguide').evaluate((element) => getComputedStyle(element).display)).toBe('grid')
      const violations: string[] = await page.evaluate('window.violations')
      expect(violations).toEqual([])
    } finally {
      await browser.close()
    }
  }, 120_000)

  const testNested = () =>
    it('a purge reaches a result that contains the result of another function', async () => {
      const redis = await startRedis()
      const nested = await startStandalone(copy, { REDIS_URL: `redis://127.0.0.1:${redis.port}` })
      const call = async (path: string, init?: RequestInit) => (await fetch(nested.url + path, init)).text()
      const authorization = 'Bearer between-us'
      try {
        for (const text of ['v1', 'v2', 'v3']) {
          await call('/api/nested', { method: 'PUT', body: text })
          await call('/api/revalidate', { method: 'POST', headers: { authorization } })
          await call('/api/nested') // may get what was there once more
          for (let visit = 0; visit < 5; visit++) expect(await call('/api/nested')).toBe(`${text} ${text} ${text}`)
        }
        // Results of 'use cache' are stored again five seconds after a purge.
        await sleep(5_500)
        await call('/api/nested')
        await call('/api/nested', { method: 'PUT', body: 'unpublished' })
        expect(await call('/api/nested'), nested.output()).toBe('v3 v3 v3')
      } finally {
        await nested.close()
        await redis.stop()
      }
    })
  if (cacheComponents) testNested()

  const testDevelopment = () =>
    describe('in development', () => {
      let development: RunningSite

      beforeAll(async () => {
        await cp(join(folder, 'app/%5Fimage'), join(folder, 'app/_image'), { recursive: true })
        development = await startDevelopment(folder, { STYLEGUIDE_ENABLED: 'true' })
        const paths = [
          '/',
          '/styleguide',
          '/styleguide/colors',
          '/sitewright/styleguide.js',
          ...(cacheComponents ? ['/edition'] : []),
          '/',
        ]
        for (const path of paths) {
          const response = await fetch(development.url + path)
          await response.arrayBuffer()
          expect([path, response.status], development.output()).toEqual([path, 200])
        }
      }, 240_000)

      afterAll(() => development?.close())

      const lines = (pattern: RegExp) =>
        development
          .output()
          .split('\n')
          .filter((line) => pattern.test(line))

      it('says once that app/_image is not routed', () => {
        const warnings = lines(/app\/_image/)
        // The process in which Next.js 15 calls generateStaticParams begins before the first warning, and says it, too.
        expect(cacheComponents ? warnings : [...new Set(warnings)]).toEqual([
          'app/_image is a private folder of Next.js, which answers 404; rename it to app/%5Fimage',
        ])
      })

      it('says once that quality is ignored', () => {
        expect(lines(/quality is ignored/)).toEqual([
          'next/image: quality is ignored; set it in sharpService({ quality }), or IMGPROXY_QUALITY',
        ])
      })

      it('the cache handlers say nothing, without Redis', () => {
        // Turbopack tells of its own cache, when writing it takes long.
        expect(lines(/(?<!filesystem )cache(?! components)|redis|error|tag index|BUILD_ID|client is/i)).toEqual([])
      })
    })
  testDevelopment()

  return {
    readUrl: () => site.url,
    start: (environment: Record<string, string>) => startStandalone(copy, environment),
  }
}
