import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { styleguideFiles } from './styleguide-files.js'

const ask = (path: string, init: RequestInit = {}, prefix?: string) =>
  styleguideFiles({ prefix })(new Request(`http://site.test${path}`, init))

it.each([
  ['styleguide.css', 'text/css; charset=utf-8'],
  ['styleguide.js', 'text/javascript; charset=utf-8'],
])('serves %s of the package', async (name, type) => {
  const response = await ask(`/styleguide/${name}`)
  expect(response?.headers.get('content-type')).toBe(type)
  expect(await response?.text()).toBe(readFileSync(`dist/${name}`, 'utf8'))
  expect(await (await ask(`/guide/${name}`, {}, 'guide'))?.text()).not.toBe('')
})

it('answers 304 to its entity tag, and HEAD without a body', async () => {
  const etag = (await ask('/styleguide/styleguide.css'))?.headers.get('etag') as string
  expect((await ask('/styleguide/styleguide.css', { headers: { 'If-None-Match': etag } }))?.status).toBe(304)
  const head = await ask('/styleguide/styleguide.css', { method: 'HEAD' })
  expect([head?.status, await head?.text()]).toEqual([200, ''])
})

it('leaves other paths to others, and other methods to nobody', async () => {
  expect(await ask('/styleguide')).toBe(undefined)
  expect(await ask('/styleguide/colors')).toBe(undefined)
  const post = await ask('/styleguide/styleguide.css', { method: 'POST' })
  expect([post?.status, post?.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(() => styleguideFiles({ prefix: 'a b' })).toThrow('prefix: expected')
})
