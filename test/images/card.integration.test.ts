import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { fileVersions } from '../../adapters/node/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { photographs } from '../../adapters/sharp/testing/originals.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { cardMeta, createImages } from '../../core/image/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

const origin = 'https://www.example.com'
const secret = 'a-secret-that-signs-cards-of-a-test'

/** Starts a site with one page, whose head names its card. */
async function startSite() {
  const folder = await folderWith({ 'boats.jpg': await readFile(new URL('nagasaki-boats.jpg', photographs)) })
  const article = { title: 'Boats' }
  const images = createImages({
    sources: { '/media/': folder },
    version: fileVersions({ '/media/': folder }),
    service: sharpService({ isolation: 'none' }),
    secret,
  })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }) })
  const page = cache.wrap(async (request) => {
    const tags = [new URL(request.url).pathname]
    const meta = cardMeta(images.card({ src: '/media/boats.jpg', title: article.title, tags }), {
      origin,
      alt: 'Boats',
    })
    return new Response(JSON.stringify(meta), { headers: { 'Cache-Control': 's-maxage=3600' } })
  })
  const revalidate = createRevalidateEndpoint({
    secret: 'token',
    images,
    invalidate: cache.invalidate,
    allowTags: true,
  })
  const readAddress = async (): Promise<string> => {
    const meta = (await (await page(new Request(`${origin}/boats/`)))?.json()) as { content: string }[]
    return meta[0]?.content ?? ''
  }
  const load = async (address: string) => (await images.handler(new Request(address))) as Response
  const publish = async (query: string) => {
    const headers = { Authorization: 'Bearer token' }
    const response = await revalidate(new Request(`${origin}/api/revalidate?${query}`, { method: 'POST', headers }))
    expect(response?.status).toBe(200)
  }
  const replace = () => copyFile(fileURLToPath(new URL('black-canyon.jpg', photographs)), join(folder, 'boats.jpg'))
  return { article, readAddress, load, publish, replace }
}

test('an edit that a webhook reports gives the card another address and another picture', async () => {
  const { article, readAddress, load, publish, replace } = await startSite()
  const pictures = new Set<string>()
  const addresses = new Set<string>()
  /** Notes the address that the page names, and the picture there. */
  const note = async () => {
    const address = await readAddress()
    const response = await load(address)
    expect([response.status, response.headers.get('cache-tag')]).toEqual([200, '/media/boats.jpg, /boats'])
    addresses.add(address)
    pictures.add(Buffer.from(await response.arrayBuffer()).toString('base64'))
  }
  await note()
  article.title = 'Boats at low tide'
  await note()
  expect(addresses.size).toBe(1) // the page is stored
  await publish('path=/boats')
  await note()
  expect([addresses.size, pictures.size]).toEqual([2, 2])
  // Everything that was published before is still shown where it was shared.
  for (const address of addresses) expect((await load(address)).status).toBe(200)
  await replace()
  await publish('path=/media/boats.jpg')
  await vi.waitFor(
    async () => {
      await publish('path=/boats')
      await note()
      expect([addresses.size, pictures.size]).toEqual([3, 3])
    },
    { timeout: 20_000, interval: 500 },
  )
})
