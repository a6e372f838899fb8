import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { includesOf, read, root } from './pages.js'

const folder = 'docs/snippets/next-deploy/'
const included = includesOf(read('docs/guide/deployment.md')).filter((file) => file.startsWith(folder))

it('the guide shows files of Next.js', () => {
  expect(included.length).toBeGreaterThan(4)
})

it.each(included)('%s is the whole file of the site that the tests build', async (file) => {
  // Not a URL, in which %5F would be an underscore.
  const built = `${root.pathname}test/next-site/site/${file.slice(folder.length)}`
  expect(read(file)).toBe(await readFile(built, 'utf8'))
})
