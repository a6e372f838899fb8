import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const readme = await readFile(new URL('adapters/next/README.md', root), 'utf8')
// ```ts images.ts
const blocks = [...readme.matchAll(/^```[a-z]+ (\S+)\n(.*?)^```$/gms)].map(([, file, code]) => [file, code] as const)

it('the README of adapters/next has files', () => {
  expect(blocks.length).toBeGreaterThan(8)
})

it.each(blocks)('%s is the whole file of the site that the tests build', async (file = '', code) => {
  // Not a URL, in which %5F would be an underscore.
  expect(await readFile(`${root.pathname}test/next-site/site/${file}`, 'utf8')).toBe(code)
})

it.each(['shared-cache.js', 'cache-handler.js'])(
  '%s of the guide is that of the site that the tests build',
  async (file) => {
    const guide = await readFile(new URL(`docs/snippets/next-deploy/${file}`, root), 'utf8')
    expect(guide).toBe(await readFile(new URL(`test/next-site/site/${file}`, root), 'utf8'))
  },
)
