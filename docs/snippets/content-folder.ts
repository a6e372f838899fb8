import { watch } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'

const content = createContentTags({ sources: [] })
export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  content,
})

export function readText(folder: string, name: string): Promise<string> {
  content.add([`${folder}/${name}`]) // also of a file that is missing
  return readFile(`${folder}/${name}`, 'utf8')
}

export async function listTexts(folder: string): Promise<string[]> {
  content.add([folder])
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.md'))
}

/** Purges the pages of a file that was edited, added or removed, and the lists. */
export function watchTexts(folder: string) {
  return watch(folder, { recursive: true }, async (_, name) => {
    await cache.invalidate([folder, ...(name ? [`${folder}/${name}`] : [])])
  })
}
