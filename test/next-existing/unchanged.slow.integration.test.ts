import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../cli/testing/project.js'
import { stepLines } from '../../cli/testing/server.js'
import { recordAnswers, type SiteRequest } from '../next-site/answers.js'
import { buildSite, contentlayer, copyStandalone, type RunningSite, startStandalone } from '../next-site/site.js'
import { addPackage, edit, writeExistingSite } from './existing-site.js'

// What a visitor of a site gets is the same before and after this package was added: with Turbopack, and with webpack and the
// rule that next-contentlayer adds; a matcher as next-intl's, a root layout with a header, and `output: 'standalone'`.

const versions: [string, string, string, string][] = [
  ['16', 'Turbopack', join(import.meta.dirname, 'built-unchanged'), ''],
  ['15', "webpack with next-contentlayer's rule", join(root, 'test/next15/built-unchanged'), contentlayer],
]

const requests: SiteRequest[] = [
  ['/shop/'],
  ['/shop'],
  ['/shop/', { method: 'HEAD' }],
  ['/shop/about/'],
  ['/shop/about'],
  ['/shop/about/', { headers: { RSC: '1' } }],
  ['/shop/nowhere/'],
  ['/shop/en/nowhere/'],
  ['/'],
  ['/shop/api/session/'],
  ['/shop/api/session/', { headers: { Cookie: 'session=1' } }],
  ['/shop/api/session/', { method: 'DELETE' }],
  ['/shop/api/nowhere/'],
  ['/shop/media/cat.jpg'],
  ['/shop/media/cat.jpg', { headers: { Range: 'bytes=0-99' } }],
  ['/shop/media/dog.jpg'],
]

describe.each(versions)('Next.js %s on %s', (version, _, folder, rule) => {
  const copies: string[] = []
  let site: RunningSite
  let before: unknown
  let after: unknown
  let printed = ''

  /** Builds the site, and starts a copy of what `output: 'standalone'` has made. */
  const start = async () => {
    await buildSite(folder)
    const copy = await copyStandalone(folder)
    copies.push(copy)
    // Where a host is named, Next.js 15 takes a rewrite within the site for one to another server.
    site = await startStandalone(copy, { STYLEGUIDE_ENABLED: 'true', HOSTNAME: '0.0.0.0' })
    return recordAnswers(site.url, requests)
  }

  beforeAll(async () => {
    await writeExistingSite(folder, version)
    await edit(join(folder, 'next.config.js'), '\n}', `\n  generateBuildId: () => 'site',${rule}\n}`)
    before = await start()
    await site.close()
    printed = await addPackage(folder, version)
    after = await start()
  }, 480_000)

  afterAll(async () => {
    await site?.close()
    for (const copy of copies) await rm(copy, { recursive: true, force: true })
  })

  it('the site answers as before: status, headers, cookies, pictures, stylesheets and its own 404', () => {
    expect(after).toEqual(before)
  })

  it.each(['styleguide', '_image'])('the address that init prints for %s answers', async (part) => {
    const address = stepLines(printed, 'Open:').find((line) => line.includes(part))
    const response = await fetch(site.url + address?.replace('http://localhost:3000', ''))
    await response.arrayBuffer()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(part === '_image' ? /^image\// : /^text\/html/),
    ])
  })
})
