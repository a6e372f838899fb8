import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createPreview, sharedSecret } from '../../core/preview/index.js'
import { listen } from '../adapter/listen.js'
import { engines } from './engines.js'
import { createTab, type Tab } from './tab.js'

// The site is on `localhost`, and the studio on `127.0.0.1`, which is another site for browsers.

/** The pages that were requested, with what they showed. */
let shown: string[] = []
let frame = ''
const html = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/html' } })

async function start() {
  const studio = await listen(nodeListener(async () => html(`<h1>Studio</h1><iframe src="${frame}"></iframe>`)))
  const preview = createPreview({
    secret: 's'.repeat(32),
    verify: [sharedSecret({ secret: 'of the CMS' })],
    studio: [studio.url],
  })
  const site = await listen(
    nodeListener(async (request) => {
      const own = await preview.handler(request)
      if (own) return own
      const [{ pathname }, isDraft] = [new URL(request.url), preview.isOn(request) !== undefined]
      if (pathname.startsWith('/articles/')) shown.push(`${pathname} ${isDraft ? 'draft' : 'published'}`)
      const next = pathname === '/articles/a' ? '<meta http-equiv="refresh" content="0; url=/articles/b">' : ''
      return html(`<title>${pathname}</title>${next}<h1>${isDraft ? 'draft' : 'published'}</h1>${preview.bar(request)}`)
    }),
  )
  return { site: site.url.replace('127.0.0.1', 'localhost'), studio: studio.url, preview, servers: [site, studio] }
}
let sites: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  sites = await start()
})
afterAll(() => Promise.all(sites.servers.map((server) => server.close())))

describe.each(engines)('in $engine', ({ engine, start: startEngine }) => {
  let tab: Tab
  beforeAll(async () => {
    tab = createTab(await startEngine('light'))
  }, 60_000)
  afterAll(() => tab?.close())

  it('a draft opens in a tab, stays on over links, and ends by the bar', async () => {
    shown = []
    await tab.open(`${sites.site}/api/preview?secret=of+the+CMS&path=/articles/a`)
    await vi.waitFor(() => expect(shown).toEqual(['/articles/a draft', '/articles/b draft']), 20_000)
    await tab.waitFor(() => document.querySelector('.sitewright-preview button'))
    await tab.evaluate(() => document.querySelector<HTMLElement>('.sitewright-preview button')?.click())
    await vi.waitFor(() => expect(shown.at(-1)).toBe('/articles/b published'), 20_000)
  })

  it('a link for a colleague opens its draft', async () => {
    shown = []
    await tab.open(sites.site + sites.preview.link('/articles/c'))
    await vi.waitFor(() => expect(shown).toEqual(['/articles/c draft']), 20_000)
    const address = await tab.waitFor(() => location.pathname === '/articles/c' && location.href)
    expect(address).toBe(`${sites.site}/articles/c`)
    await tab.evaluate(() => document.querySelector<HTMLElement>('.sitewright-preview button')?.click())
  })

  it("in a studio's iframe, a draft opens and stays on where the browser has partitioned cookies", async () => {
    shown = []
    frame = `${sites.site}/api/preview?secret=of+the+CMS&path=/articles/a`
    await tab.open(sites.studio)
    // Debian's WebKitGTK has no partitioned cookies: its libsoup does not know the attribute.
    const text = engine === 'WebKit' ? 'published' : 'draft'
    await vi.waitFor(() => expect(shown.slice(-2)).toEqual([`/articles/a ${text}`, `/articles/b ${text}`]), 20_000)
  })
})
