import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createTokens } from '../../core/image/sign.js'
import { createPreview, sharedSecret } from '../../core/preview/index.js'
import { secondsFromNow } from '../../core/preview/session.js'
import { listen } from '../adapter/listen.js'
import { connectToChromium } from '../browser/chromium.js'
import { secret, urlSecret } from './oracle.js'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

/** Starts a site on `localhost` with a strict policy, and a studio on `127.0.0.1`, which is another site for browsers. */
async function start({ isTrusted = true } = {}) {
  const requests: { url: string; referer: string | null }[] = []
  let frame = ''
  const studio = await listen(
    nodeListener(
      async () =>
        new Response(`<iframe src="${frame}" width="700" height="400"></iframe>`, {
          headers: { 'Content-Type': 'text/html' },
        }),
    ),
  )
  const preview = createPreview({
    secret,
    verify: [sharedSecret({ secret: urlSecret })],
    studio: isTrusted ? [studio.url] : [],
  })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), bypass: preview.bypass })
  const page = cache.wrap(async (request) => {
    const text = preview.isOn(request) ? 'The draft' : 'Published'
    const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Boats</title><main><h1>${text}</h1><a href="/next">Next page</a></main>${preview.bar(request)}`
    const policy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'"
    const headers = {
      'Content-Type': 'text/html',
      'Cache-Control': 'max-age=0, s-maxage=60',
      'Content-Security-Policy': policy,
    }
    return new Response(html, { headers })
  })
  const site = await listen(
    nodeListener(async (request) => {
      requests.push({ url: request.url, referer: request.headers.get('referer') })
      return (await preview.handler(request)) ?? page(request)
    }),
  )
  const url = site.url.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    await Promise.all([site.close(), studio.close()])
  })
  const complaints: string[] = []
  const open = async (address: string, viewport = { width: 1280, height: 800 }): Promise<Page> => {
    const tab = await context.newPage()
    await tab.setViewportSize(viewport)
    tab.on('console', (message) => complaints.push(message.text()))
    await tab.goto(address)
    return tab
  }
  const show = (address: string) => {
    frame = address
  }
  return { preview, url, studio, requests, complaints, context, open, show }
}
const opening = `/api/preview?secret=${urlSecret.replaceAll(' ', '+')}&path=/articles/boats`

it("in a studio's iframe, the draft stays on over links and ends by the bar, with the keyboard alone", async () => {
  const { url, studio, open, show, context, complaints } = await start()
  show(url + opening)
  const tab = await open(studio.url)
  const site = tab.frameLocator('iframe')
  const heading = () => site.getByRole('heading').innerText()
  await expect.poll(heading).toBe('The draft')
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ name: 'sitewright-preview-frame', sameSite: 'None', secure: true, httpOnly: true })
  expect(cookie).toHaveProperty('partitionKey')
  await site.getByRole('link').press('Enter')
  await expect.poll(() => tab.frames()[1]?.url()).toBe(`${url}/next`)
  expect(await heading()).toBe('The draft')
  await site.getByRole('button', { name: 'Exit preview' }).press('Enter')
  await expect.poll(() => tab.frames().at(1)?.url()).toMatch(/chrome-error|\/next$/) // the page lets nobody frame it
  await expect.poll(() => context.cookies()).toEqual([])
  expect(complaints.filter((text) => !/frame-ancestors|favicon/.test(text))).toEqual([])
})

it('no other site frames a draft', async () => {
  const { url, open, show, studio, complaints } = await start({ isTrusted: false })
  show(url + opening)
  const tab = await open(studio.url)
  await expect.poll(() => complaints.join()).toContain('frame-ancestors')
  expect(await tab.frames()[1]?.content()).not.toContain('The draft')
})

it('a link opens its page, and its token gets to no server, no history and no Referer', async () => {
  const { preview, url, open, requests, complaints, context } = await start()
  const link = preview.link('/articles/boats')
  const token = link.split('#')[1] as string
  const tab = await open(url + link)
  await expect.poll(() => tab.url()).toBe(`${url}/articles/boats`)
  expect(await tab.getByRole('heading').innerText()).toBe('The draft')
  expect(requests.filter(({ url: address, referer }) => `${address} ${referer}`.includes(token))).toEqual([])
  expect(requests.find(({ url: address }) => address.endsWith('/boats'))?.referer).toBeNull()
  expect(await context.cookies()).toMatchObject([{ name: 'sitewright-preview', sameSite: 'Lax', httpOnly: true }])
  await tab.goBack()
  expect(tab.url()).not.toContain(token)
  expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
})

it.each([
  ['light', 390],
  ['dark', 1280],
] as const)('the bar and the page of an expired link are accessible, in %s', async (colorScheme, width) => {
  const { url, open, preview } = await start()
  const expired = createTokens('preview link', [secret]).create({ until: secondsFromNow() - 1 })
  const views = {
    'The draft': url + preview.link('/articles/boats'),
    'This preview link has expired': `${url}/api/preview/link#${expired}`,
  }
  for (const [name, address] of Object.entries(views)) {
    const tab = await open('about:blank', { width, height: 600 })
    await tab.emulateMedia({ colorScheme })
    await tab.goto(address)
    await tab.getByRole('heading', { name }).waitFor()
    const found = await tab.evaluate(`${axe.source}; axe.run()`)
    expect((found as axe.AxeResults).violations.map(({ id }) => id)).toEqual([])
  }
})
