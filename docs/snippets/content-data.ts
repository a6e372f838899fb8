import { readFile } from 'node:fs/promises'
import { createContentTags } from 'sitewright/content'

const content = createContentTags({ sources: [] })

/** A file, by its path. */
export async function readPage(path: string): Promise<string> {
  content.add([path])
  return readFile(path, 'utf8')
}

/** A menu that every page shows and the site reads once. */
let menu: Promise<{ value: string; tags: readonly string[] }> | undefined
export async function readMenu(): Promise<string> {
  menu ??= content.collect(() => readPage('content/menu.md'))
  const { value, tags } = await menu
  content.add(tags)
  return value
}

/** Beside `cache.invalidate`: what the site keeps is read again. */
export function forget(): void {
  menu = undefined
}
