import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../cli/testing/project.js'
import { stepLines } from '../../cli/testing/server.js'
import { buildSite, copyStandalone, type RunningSite, startBuilt, startStandalone } from '../next-site/site.js'
import { addPackage, writeExistingSite } from './existing-site.js'

const versions: [string, string][] = [
  ['16', join(import.meta.dirname, 'built')],
  ['15', join(root, 'test/next15/built-existing')],
]

describe.each(versions)('Next.js %s', (version, folder) => {
  const sites: RunningSite[] = []
  let built = ''
  let standalone = ''
  let printed = ''

  beforeAll(async () => {
    await writeExistingSite(folder, version)
    printed = await addPackage(folder, version)
    const picture = stepLines(printed, 'A page with a picture').join('\n')
    await writeFile(join(folder, 'app/(site)/[locale]/page.jsx'), picture)
    built = await buildSite(folder)
    standalone = await copyStandalone(folder)
    // Where a host is named, Next.js 15 takes a rewrite within the site for one to another server.
    const environment = { STYLEGUIDE_ENABLED: 'true', HOSTNAME: '0.0.0.0' }
    sites.push(await startStandalone(standalone, environment), await startBuilt(folder, environment))
  }, 480_000)

  afterAll(async () => {
    for (const site of sites) await site.close()
    if (standalone) await rm(standalone, { recursive: true, force: true })
  })

  it('the build warns of nothing but the stylesheet, which Node.js cannot import', () => {
    const warnings = built.split('\n').filter((line) => /warning|error/i.test(line))
    const ofStylesheet = version === '15' ? [] : [/1 warning:$/, /^Warning: Package sitewright can't be external$/]
    expect(warnings).toEqual(ofStylesheet.map((line) => expect.stringMatching(line)))
    expect(built.includes('sitewright/styleguide.css')).toBe(version !== '15')
  })

  describe.each([
    ['output: standalone', 0],
    ['next start', 1],
  ])('%s', (_, index) => {
    const visit = (path: string, init?: RequestInit) =>
      fetch((sites[index] as RunningSite).url + path, { signal: AbortSignal.timeout(30_000), ...init })
    const text = async (path: string, init?: RequestInit) => {
      const response = await visit(path, init)
      return [response.status, await response.text()]
    }

    it('the pages of the site are as they were', async () => {
      expect(await text('/shop/')).toEqual([200, expect.stringContaining('<header>Existing site</header>')])
      expect(await text('/shop/about/')).toEqual([200, expect.stringContaining('About us')])
      const redirect = await visit('/shop/about', { redirect: 'manual' })
      expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/shop/about/'])
      expect((await visit('/shop/nowhere/')).status).toBe(404)
      expect((await visit('/')).status).toBe(404)
    })

    it('images of next/image, and the one that init prints', async () => {
      const [, html] = await text('/shop/')
      const urls = [...String(html).matchAll(/\/shop\/_image\/[\w-]+\?[^" ]*/g)].map(([url]) => url)
      const [, printedImage = ''] = stepLines(printed, 'Open:')
      expect(urls.length).toBeGreaterThan(1)
      for (const url of [...urls, printedImage.replace('http://localhost:3000', '')]) {
        const response = await visit(url, { headers: { Accept: 'image/avif' } })
        await response.arrayBuffer()
        expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, 'image/avif'])
      }
      expect(sites[index]?.output()).not.toContain('decoded in the process of the site')
    })

    it('the styleguide has its own layout, links and script', async () => {
      const [status, html] = await text('/shop/styleguide/')
      expect([status, String(html).includes('Existing site')]).toEqual([200, false])
      const links = [...String(html).matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) => link)
      expect(links).toEqual(expect.arrayContaining(['/shop/styleguide/colors', '/shop/sitewright/styleguide.js']))
      for (const link of new Set(links)) expect([link, (await visit(link)).status]).toEqual([link, 200])
      expect(await text('/shop/styleguide/colors/')).toEqual([200, expect.stringContaining('#b3412e')])
    })

    it('the address that init prints purges a page, without a redirect', async () => {
      const lines = stepLines(printed, 'Purge the pages')
      const address = lines.at(-1)?.replace('http://localhost:3000', '') ?? ''
      const init = { method: 'POST', redirect: 'manual', headers: { Authorization: 'Bearer between-us' } } as const
      const read = async () => /<p>([^<]*)/.exec(String((await text('/shop/'))[1]))?.[1]
      const before = await read()
      expect(await text(address, init)).toEqual([200, '{"revalidated":true}'])
      await expect.poll(read).not.toBe(before)
    })
  })
})
