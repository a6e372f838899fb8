import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const recipes = await readFile(new URL('adapters/recipes.md', root), 'utf8')
// ```js test/frameworks/fastify/server.js
const blocks = [...recipes.matchAll(/^```js (\S+)\n(.*?)^```$/gms)].map(
  ([, file, code]) => [file, code] as [string, string],
)

describe('the code in adapters/recipes.md', () => {
  it('the code of the recipes is taken from files', () => expect(blocks).toHaveLength(11))

  it.each(blocks)('the code of %s is the whole file', async (file, code) => {
    expect(await readFile(new URL(file, root), 'utf8')).toContain(code)
  })

  it.each(blocks.slice(1))('the code of %s has at most thirteen lines', (_, code) => {
    expect(code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(13)
  })
})
