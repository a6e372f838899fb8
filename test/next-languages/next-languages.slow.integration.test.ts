import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, copyStandalone, type RunningSite, startStandalone } from '../next-site/site.js'

// The pages in two languages of test/next15, with `trailingSlash: true`, built and started as a user's site is.

const root = join(import.meta.dirname, '../..')

const versions: [string, boolean, string][] = [
  ['16', true, join(import.meta.dirname, 'built/same')],
  ['16', false, join(import.meta.dirname, 'built/other')],
  ['15', true, join(root, 'test/next15/built-languages')],
]

const config = `export default {
  output: 'standalone',
  outputFileTracingRoot: ${JSON.stringify(root)},
  trailingSlash: true,
  PROXY: true,
}
`

describe.each(versions)(
  'Next.js %s with trailingSlash: true, and trailingSlash: %s in the routes',
  (version, own, folder) => {
    let standalone = ''
    let site: RunningSite

    beforeAll(async () => {
      await rm(folder, { recursive: true, force: true })
      await cp(join(root, 'test/next15/languages'), folder, { recursive: true })
      await cp(join(root, 'test/next-site/site/tsconfig.json'), join(folder, 'tsconfig.json'))
      const edit = async (from: string, to: string, change: (text: string) => string) => {
        const text = await readFile(join(folder, from), 'utf8')
        await rm(join(folder, from))
        await writeFile(join(folder, to), change(text))
      }
      await edit('routes.ts', 'routes.ts', (text) =>
        text.replace('detect: true,', `detect: true, trailingSlash: ${own},`),
      )
      if (version === '16') {
        await edit('middleware.ts', 'proxy.ts', (text) => text.replace('const middleware', 'const proxy'))
      }
      const name = version === '16' ? 'skipProxyUrlNormalize' : 'skipMiddlewareUrlNormalize'
      await writeFile(join(folder, 'next.config.mjs'), config.replace('PROXY', name))
      await writeFile(join(folder, 'package.json'), '{ "name": "next-languages", "private": true, "type": "module" }')
      for (const file of ['package.json', 'dist']) {
        await cp(join(root, file), join(folder, 'node_modules/sitewright', file), { recursive: true })
      }
      await cp(join(root, 'examples/site/media/locomotion-house-cat.jpg'), join(folder, 'public/media/cat.jpg'))
      await buildSite(folder)
      standalone = await copyStandalone(folder)
      site = await startStandalone(standalone)
    }, 480_000)

    afterAll(async () => {
      await site?.close()
      if (standalone) await rm(standalone, { recursive: true, force: true })
    })

    /** Follows redirects. Returns each status with its path, and the HTML of the last answer. */
    const visit = async (path: string, headers: Record<string, string> = {}, hops: string[] = []) => {
      const response = await fetch(site.url + path, { headers, redirect: 'manual' })
      const html = await response.text()
      const location = response.headers.get('location')
      hops.push(`${response.status} ${path}`)
      if (location === null || hops.length > 5) return { hops, html }
      const { pathname, search } = new URL(location, site.url)
      return visit(pathname + search, headers, hops)
    }
    const german = { 'accept-language': 'de' }

    it.each<[string, Record<string, string>, string, string]>([
      ['/', {}, 'en', 'home'],
      ['/', german, 'de', 'home'],
      ['/de/', {}, 'de', 'home'],
      ['/de', {}, 'de', 'home'],
      ['/about/', {}, 'en', 'about'],
      ['/de/ueber-uns/?a=1', {}, 'de', 'about'],
      ['/de/about/', {}, 'de', 'about'],
      ['/de/beitraege/gr%C3%B6%C3%9Fe/', {}, 'de', 'articles/größe'],
      ['/de/articles/house-cat/', {}, 'de', 'articles/größe'],
    ])('%s %o ends at a page in %s: %s', async (path, headers, language, heading) => {
      const { hops, html } = await visit(path, headers)
      expect(hops.at(-1)).toMatch(/^200 .*\/(?:\?a=1)?$/)
      expect(hops.length).toBeLessThanOrEqual(own ? 2 : 3)
      expect(html.match(/<html[^>]*>/)?.[0]).toBe(`<html lang="${language}" dir="ltr">`)
      expect(html).toContain(`<h1>${heading}</h1>`)
    })

    it.each(['/de/50%-rabatt', '/de/50%-rabatt/', '/de/a%2Fb/', '/de/nowhere/'])('%s is not found', async (path) => {
      const { hops, html } = await visit(path)
      expect(hops.at(-1)).toMatch(/^404 /)
      // Next.js renders the layout of a page that is not found in the browser.
      expect(html).toMatch(/<html lang="de"|\\"html\\",null,\{\\"lang\\":\\"de\\"/)
      expect(html).not.toContain('canonical')
    })

    it('the links of the head name the addresses that answer with 200', async () => {
      const { html } = await visit('/de/ueber-uns/')
      const links = [...html.matchAll(/<link rel="(?:canonical|alternate)"[^>]*href="([^"]*)"/g)].map(
        ([, href]) => href,
      )
      expect(links).toEqual(
        ['/de/ueber-uns/', '/about/', '/de/ueber-uns/', '/about/'].map((path) => `https://www.example.com${path}`),
      )
    })
  },
)
