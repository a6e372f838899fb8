import { createServer } from 'node:http'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { listen } from '../../test/adapter/listen.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { cacheable, startCache } from '../cache/testing/harness.js'
import { createRevalidateEndpoint } from './index.js'

const secret = 'between-us'
let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

async function openPage() {
  const site = startCache()
  let text = 'before'
  site.serve(() => cacheable(text))
  const { invalidate, inspect } = site
  const endpoint = createRevalidateEndpoint({ secret, invalidate, inspect, log: () => {} })
  const handle = async (request: Request) => (await endpoint(request)) ?? (await site.wrapped(request))
  const server = await listen(createServer(nodeListener(handle)))
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  onTestFinished(async () => {
    await page.close()
    await server.close()
  })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`${server.url}/api/revalidate`)
  const read = async () => (await fetch(`${server.url}/news`)).text()
  const publish = (next: string) => {
    text = next
  }
  const look = async (token: string) => {
    await page.getByLabel('Address of the page').fill(`${server.url}/news`)
    await page.getByLabel('Secret').fill(token)
    await page.keyboard.press('Enter')
  }
  return { page, complaints, read, publish, look }
}

it('an editor sees by keyboard that a page is old, purges it, and sees that it is purged', async () => {
  const { page, complaints, read, publish, look } = await openPage()
  await read()
  publish('after')
  await look(secret)
  const status = page.getByRole('status')
  await expect
    .poll(() => status.innerText())
    .toMatch(/^Live: visitors get the stored page\.[\s\S]*\/news[\s\S]*document/)
  expect(await read()).toBe('before')
  await page.getByRole('button', { name: 'Purge this page' }).press('Enter')
  await expect.poll(() => status.innerText()).toMatch(/^Purged now\.\s+Purged: the next visit renders the page anew/)
  expect(await read()).toBe('after')
  expect(page.url()).not.toContain(secret)
  expect(complaints).toEqual([])
})

it('a wrong secret is said, and the page fits a phone and passes axe in both schemes', async () => {
  const { page, look } = await openPage()
  await look('guessed')
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Invalid token')
  await look(secret)
  await expect.poll(() => page.getByRole('status').innerText()).toMatch(/^Not stored/)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The page's policy allows no other script, so axe runs in the browser's own context.
    const { violations } = await page.evaluate<{ violations: { id: string }[] }>(`${axe.source}; axe.run()`)
    expect(violations.map(({ id }) => id)).toEqual([])
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
