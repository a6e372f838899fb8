import { appendFile, readFile } from 'node:fs/promises'
import { unstable_cache } from 'next/cache.js'

// Ignored by Turbopack, which would otherwise trace the whole repository.
const { RENDERS = '', TEXT_FILE = '' } = process.env

/**
 * What the editor wrote, with the tags of a page. The render is counted.
 *
 * @param {string} page
 */
export async function render(page) {
  await appendFile(/*turbopackIgnore: true*/ RENDERS, `${page}\n`)
  const read = unstable_cache(() => readFile(/*turbopackIgnore: true*/ TEXT_FILE, 'utf8'), [page], {
    tags: ['document', page],
  })
  return read()
}
