import { placed } from './placed-error.js'

/** What a page says of itself between two lines of `---` at its beginning. */
export interface FrontMatter {
  title?: string
  /** The page's part of the URL. */
  path?: string
  /** Its place among its siblings. */
  order?: number
}

interface Document {
  frontMatter: FrontMatter
  /** The rest, on the lines where it was. */
  body: string
}

const block = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/

/**
 * Parts a document from its front matter, of which the lines `title: …`, `path: …` and `order: …` are read, and all
 * others passed over. It is no YAML: a value is plain or quoted, on one line.
 *
 * @throws Error that names file and line, for a value that is none of these, and for an order that is no number.
 * @example readFrontMatter('---\ntitle: Colors\norder: 2\n---\nText', 'a.md').frontMatter // { title: 'Colors', order: 2 }
 */
export function readFrontMatter(source: string, file: string): Document {
  const text = source.replace(/^\uFEFF/, '')
  const [matter] = block.exec(text) ?? []
  if (!matter) return { frontMatter: {}, body: text }
  const frontMatter: FrontMatter = {}
  const lines = matter.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, key, written = ''] = /^(title|path|order)[ \t]*:(?=\s|$)(.*)$/s.exec(line.trimEnd()) ?? []
    const value = plainValue(written.trim())
    if (!key || value === '') continue
    if (value === undefined) throw placed(file, `"${key}" is no plain or quoted text on one line`, index + 1)
    if (key !== 'order') frontMatter[key as 'title' | 'path'] = value
    else if (Number.isFinite(Number(value))) frontMatter.order = Number(value)
    else throw placed(file, `"order" is ${JSON.stringify(value)}; write a number`, index + 1)
  }
  return { frontMatter, body: '\n'.repeat(lines.length - 1) + text.slice(matter.length) }
}

function plainValue(written: string): string | undefined {
  const [, double, single] = /^(?:"((?:\\.|[^"\\])*)"|'((?:''|[^'])*)')(?:\s+#.*)?$/.exec(written) ?? []
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1')
  if (single !== undefined) return single.replaceAll("''", "'")
  // What begins so has a meaning of its own in YAML.
  return /^["'|>[\]{}&*!%@`]/.test(written) ? undefined : written.replace(/(?:^|\s+)#.*$/, '')
}
