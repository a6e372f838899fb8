import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { optionError } from '../../core/option-error.js'
import { compilePage, type MarkdownOptions, type MarkdownPage, type PageName, pageNameOf } from './markdown-page.js'

export interface StyleguidePagesOptions extends MarkdownOptions {
  /** Receives one error per file that cannot be read or compiled. Default: `console.error`. */
  log?: ((message: string) => void) | undefined
}

/**
 * Reads a folder of Markdown and MDX files, nested to any depth, as a tree of styleguide pages. Each folder becomes a
 * page with the content of its `index.md` or `index.mdx`; a folder without pages is skipped. Siblings are sorted by the
 * `order` in their front matter or the number before their name, then by name. Files and folders whose names begin with
 * a dot are ignored, and so are symbolic links. Call it once, when the server starts or at build time.
 *
 * A link to another file of the folder, such as `[colors](./01-colors.md#brand)`, leads to the page of that file. In
 * development, a link to a missing file causes a warning.
 *
 * A broken file does not break the others. Its page shows the error, which names the file, line, column and reason. MDX
 * is code and runs with all the server's permissions, so read only pages by authors you trust. Raw HTML in `.md` is
 * dropped, because nothing parses it. Links that run code, such as `javascript:` links, are dropped in both formats,
 * except in JSX. The pages are compiled by `eval`, so the runtime must allow it.
 *
 * @throws Error when a folder cannot be read or has two index pages.
 * @example
 * const { pages = [] } = await readStyleguidePages('styleguide', { components: { Swatch } })
 * const tree = { title: 'Styleguide', pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }, ...pages] }
 */
export async function readStyleguidePages(folder: string, options: StyleguidePagesOptions = {}): Promise<MarkdownPage> {
  if (typeof folder !== 'string') throw optionError('folder', 'the path of a folder', folder)
  return readFolder(folder, options, new Map())
}

// `contents` has the content of each page that has been read so far, by the URL of its file.
type Reading = [options: StyleguidePagesOptions, contents: Map<string, unknown>]

async function readFolder(folder: string, ...reading: Reading): Promise<MarkdownPage> {
  const name = pageNameOf(folder)
  const pages: MarkdownPage[] = []
  const indexes: MarkdownPage[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) {
      const page = await readFolder(path, ...reading)
      if (page.content || page.pages?.length) pages.push(page)
    } else if (entry.isFile() && /^index\.mdx?$/i.test(entry.name)) indexes.push(await readPage(path, name, ...reading))
    else if (entry.isFile() && /\.mdx?$/i.test(entry.name))
      pages.push(await readPage(path, pageNameOf(path), ...reading))
  }
  if (indexes.length > 1) throw new Error(`${folder} has two index pages; keep one`)
  return { ...name, ...indexes[0], pages: pages.sort(byOrder) }
}

async function readPage(file: string, name: PageName, ...[options, contents]: Reading): Promise<MarkdownPage> {
  try {
    return await compilePage(await readFile(file, 'utf8'), file, name, options, contents)
  } catch (error) {
    const log = options.log ?? console.error
    log(`styleguide: ${(error as Error).message}`)
    return { ...name, content: () => rethrow(error) }
  }
}

// The styleguide shows the error in place of the page.
function rethrow(error: unknown): never {
  throw error
}

const collator = new Intl.Collator('en', { numeric: true })

function byOrder(a: MarkdownPage, b: MarkdownPage): number {
  const [first, second] = [a, b].map(({ order = Number.POSITIVE_INFINITY }) => order) as [number, number]
  return first === second ? collator.compare(a.path ?? '', b.path ?? '') : first - second
}
