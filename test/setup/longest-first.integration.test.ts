import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const source = await readFile(new URL('longest-first.ts', import.meta.url), 'utf8')
const files = [...source.matchAll(/^ {2}'(.*\.test\.tsx?)',$/gm)].map(([, file = '']) => file)

it('each file in the list of the longest tests exists', async () => {
  expect(files.length).toBeGreaterThan(20)
  expect(new Set(files).size).toBe(files.length)
  for (const file of files) expect((await stat(new URL(file, root))).isFile(), file).toBe(true)
})
