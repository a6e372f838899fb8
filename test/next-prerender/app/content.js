import { appendFile, readFile } from 'node:fs/promises'
import { unstable_cache } from 'next/cache.js'

const { RENDERS = '', TEXT_FILE = '' } = process.env

/**
 * What the editor wrote, with the tags of a page. The render is counted.
 *
 * @param {string} page
 */
export async function render(page) {
  await appendFile(RENDERS, `${page}\n`)
  const read = unstable_cache(() => readFile(TEXT_FILE, 'utf8'), [page], { tags: ['document', page] })
  return read()
}
