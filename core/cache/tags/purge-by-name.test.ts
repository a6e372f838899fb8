import { expect, it } from 'vitest'
import { createResponseCache, memoryStore } from '../index.js'

it.each([
  ['with a comma', 'post:Hello, world'],
  ['like those of URLs', 'url,abc'],
  ['between spaces', ' a '],
  ['beyond ASCII', 'größe'],
  ['with a line break', 'a\nb'],
  ['that is encoded', '%2C'],
  ['with a lone surrogate', '\ud800'],
  ['that every object has as a property', '__proto__'],
  ['of 1,024 characters', 'x'.repeat(1024)],
  ['of 1,025 characters', 'x'.repeat(1025)],
  ['that becomes too long when it is encoded', 'ä'.repeat(300)],
  ['with a thousand commas', 'ä, '.repeat(1000)],
])('a page is stored with a tag %s, and purged by the same name', async (_, tag) => {
  let renders = 0
  const pages = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), tags: [tag], log: () => {} })
  const headers = { 'Cache-Control': 's-maxage=60' }
  const handler = pages.wrap(async () => new Response(`${++renders}`, { headers }))
  const get = async () => (await handler(new Request('https://site.test/'))).text()
  expect([await get(), await get()]).toEqual(['1', '1'])
  await pages.invalidate(['document', tag])
  expect(await get()).toBe('2')
})
