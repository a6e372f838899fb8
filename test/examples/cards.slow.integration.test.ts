import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copySite } from './site-folder.js'
import { type RunningExample, startExample } from './start.js'

let folder: string
beforeAll(async () => {
  folder = await copySite()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the `<meta>` elements of a head, by their property. */
const metaOf = (html: string) => {
  const head = html.slice(0, html.indexOf('</head>'))
  const found = head.matchAll(/<meta property="([^"]+)" content="([^"]*)"/g)
  return Object.fromEntries(
    Array.from(found, ([, property, content = '']) => [property, content.replaceAll('&amp;', '&')]),
  )
}

describe.each(['vite-hono', 'vite-express', 'example-next'])('%s', (name) => {
  let example: RunningExample
  beforeAll(async () => {
    const env = { CARD_SECRET: 'a-secret-that-signs-cards-of-a-test', SITE_FOLDER: folder }
    example = await startExample(name, env)
  }, 240_000)
  afterAll(() => example?.close())

  it.each(['/articles/nagasaki-boats', '/de/beitraege/boote-in-nagasaki'])('%s has a social card', async (path) => {
    const meta = metaOf(await (await fetch(example.url + path)).text())
    expect(meta).toMatchObject({
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    })
    expect(meta['og:image:alt']).toMatch(/\w/)
    const address = new URL(meta['og:image'] ?? '')
    const response = await fetch(example.url + address.pathname + address.search)
    const { format, width, height } = await sharp(await response.arrayBuffer()).metadata()
    expect([response.status, format, width, height]).toEqual([200, 'jpeg', 1200, 630])
    expect(response.headers.get('cache-tag')).toBe(`/media/nagasaki-boats.jpg, ${path}`)
    const forged = address.search.replace('card=ey', 'card=ez')
    expect((await fetch(example.url + address.pathname + forged)).status).toBe(403)
  })
})
