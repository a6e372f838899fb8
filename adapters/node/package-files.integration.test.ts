import { readFileSync } from 'node:fs'
import { nextRoute, packageFiles as packageFilesOfNext } from 'sitewright/next'
import { packageFiles } from 'sitewright/node'
import { expect, it } from 'vitest'

// Imported by the package's name, because the build inserts the texts.

const ask = (path: string, init: RequestInit = {}, options = {}) =>
  packageFiles(options)(new Request(`http://site.test${path}`, init))

it.each([
  ['spacing.css', 'text/css; charset=utf-8'],
  ['spacing.layer.css', 'text/css; charset=utf-8'],
  ['styleguide.css', 'text/css; charset=utf-8'],
  ['styleguide.js', 'text/javascript; charset=utf-8'],
  ['x-ray.css', 'text/css; charset=utf-8'],
  ['x-ray.js', 'text/javascript; charset=utf-8'],
])('packageFiles serves %s, on Next.js, too', async (name, type) => {
  const response = await ask(`/sitewright/${name}`)
  expect(response?.headers.get('content-type')).toBe(type)
  expect(await response?.text()).toBe(readFileSync(`dist/${name}`, 'utf8'))
  expect(await (await ask(`/files/${name}`, {}, { prefix: 'files' }))?.text()).not.toBe('')
  const { GET } = nextRoute(packageFilesOfNext())
  expect((await GET(new Request(`http://site.test/sitewright/${name}`))).status).toBe(200)
})

it('a file is answered with 304 for its entity tag, and without a body for HEAD', async () => {
  const etag = (await ask('/sitewright/spacing.css'))?.headers.get('etag') as string
  expect((await ask('/sitewright/spacing.css', { headers: { 'If-None-Match': etag } }))?.status).toBe(304)
  const head = await ask('/sitewright/spacing.css', { method: 'HEAD' })
  expect([head?.status, await head?.text()]).toEqual([200, ''])
})

it('packageFiles passes other paths on, and answers 405 to other methods', async () => {
  expect(await ask('/sitewright')).toBe(undefined)
  expect(await ask('/sitewright/package.json')).toBe(undefined)
  const post = await ask('/sitewright/styleguide.css', { method: 'POST' })
  expect([post?.status, post?.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it.each<[unknown, string]>([
  [{ prefix: 'a b' }, 'prefix: expected a path'],
  ['/files', 'packageFiles: expected an object, got a string; write packageFiles({ prefix })'],
])('packageFiles(%j) throws: %s', (options, text) => {
  expect(() => packageFiles(options as object)).toThrow(text)
})
