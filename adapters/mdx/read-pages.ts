import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compilePage, type MarkdownOptions, type MarkdownPage, nameOf, type PageName } from './markdown-page.js'

export interface StyleguidePagesOptions extends MarkdownOptions {
  /** Is told once of each file that could not be read. Default `console.error`. */
  log?: ((message: string) => void) | undefined
}

/**
 * Reads a folder of Markdown and MDX files, nested to any depth, as a page of the styleguide and those below it. A folder
 * is a page, which `index.md` or `index.mdx` in it describes; a folder without any page is none. Siblings are in the
 * order that their front matter or the number before their name says, then by name. Files and folders whose name begins
 * with a dot, and symbolic links, are passed over. Call it once, when the server starts or at build.
 *
 * A file that is wrong takes nothing down: its page shows the error, which names file, line, column and reason. MDX is
 * code; see `markdownPage`.
 *
 * @throws Error for a folder that cannot be read, or one with two index pages.
 * @example
 * const { pages = [] } = await readStyleguidePages('styleguide', { components: { Swatch } })
 * const tree = { title: 'Styleguide', pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }, ...pages] }
 */
export async function readStyleguidePages(folder: string, options: StyleguidePagesOptions = {}): Promise<MarkdownPage> {
  const name = nameOf(folder)
  const pages: MarkdownPage[] = []
  const indexes: MarkdownPage[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) {
      const page = await readStyleguidePages(path, options)
      if (page.content || page.pages?.length) pages.push(page)
    } else if (entry.isFile() && /^index\.mdx?$/i.test(entry.name)) indexes.push(await readPage(path, name, options))
    else if (entry.isFile() && /\.mdx?$/i.test(entry.name)) pages.push(await readPage(path, nameOf(path), options))
  }
  if (indexes.length > 1) throw new Error(`${folder} has two index pages; keep one`)
  return { ...name, ...indexes[0], pages: pages.sort(byOrder) }
}

async function readPage(file: string, name: PageName, options: StyleguidePagesOptions): Promise<MarkdownPage> {
  try {
    return await compilePage(await readFile(file, 'utf8'), file, name, options)
  } catch (error) {
    const log = options.log ?? console.error
    log(`styleguide: ${(error as Error).message}`)
    return { ...name, content: () => rethrow(error) }
  }
}

// The styleguide shows what a page throws in its place.
function rethrow(error: unknown): never {
  throw error
}

const names = new Intl.Collator('en', { numeric: true })

function byOrder(a: MarkdownPage, b: MarkdownPage): number {
  const [first, second] = [a, b].map(({ order = Number.POSITIVE_INFINITY }) => order) as [number, number]
  return first === second ? names.compare(a.path ?? '', b.path ?? '') : first - second
}
