import { existsSync } from 'node:fs'
import { warnInDevelopment } from '../../core/development.js'
import { createUniqueSlugs, slugify } from '../../core/styleguide/internal.js'
import { linkedFile } from './links.js'

/** The fields of a Markdown (mdast) or HTML (hast) node that are used here. */
interface Node {
  type: string
  tagName?: string
  depth?: number
  value?: string
  alt?: string | null
  url?: string
  checked?: boolean | null
  position?: { start: { line: number } }
  properties?: Record<string, unknown>
  children?: Node[]
}

/**
 * Creates a remark plugin that removes the first heading of depth 1 if it is the page's title, because the styleguide
 * itself shows the title.
 *
 * @param title The title, if it is known. Default: any heading of depth 1 counts as the title.
 * @param onTitle Receives the title that was removed.
 */
export function removeTitle(title: string | undefined, onTitle: (title: string) => void) {
  return () => (root: Node) => {
    const heading = root.children?.find(({ type, depth }) => type === 'heading' && depth === 1)
    const text = heading && textOf(heading).trim()
    if (!text || (title !== undefined && title !== text)) return
    root.children?.splice(root.children.indexOf(heading), 1)
    onTitle(text)
  }
}

/** Rehype plugin that sets the id of each heading to the slug of its text, with `-2` and so on for repeated texts. */
export function addHeadingIds() {
  return (root: Node) => {
    const uniqueSlug = createUniqueSlugs()
    for (const heading of descendants(root)) {
      const text = textOf(heading)
      if (!/^h[1-6]$/.test(heading.tagName ?? '') || !slugify(text) || heading.properties?.id !== undefined) continue
      heading.properties = { ...heading.properties, id: uniqueSlug(text) }
    }
  }
}

function textOf({ value, alt, children = [] }: Node): string {
  return value ?? alt ?? children.map(textOf).join('')
}

// The URL schemes that browsers run as code or open as a separate document, by attribute.
const unsafeSchemes: Readonly<Record<string, RegExp>> = {
  href: /^(?:javascript|vbscript|data):/i,
  src: /^(?:javascript|vbscript):/i,
}
// Browsers ignore control characters and white space before a URL, and tabs and newlines within it (URL standard, 4.4).
const ignored = /^[\0- ]+|[\t\n\r]/g

/**
 * Rehype plugin that removes links that run code, such as `javascript:` links, but keeps their text. React 19 blocks
 * some of these links; React 18 does not.
 */
export function removeUnsafeLinks() {
  return (root: Node) => {
    for (const { properties = {} } of descendants(root)) {
      for (const [name, unsafe] of Object.entries(unsafeSchemes)) {
        const url = properties[name]
        if (typeof url === 'string' && unsafe.test(url.replace(ignored, ''))) delete properties[name]
      }
    }
  }
}

const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/m
const task = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[ x]\][ \t]/im

/**
 * Creates a remark plugin that warns in development about raw HTML, links to missing files, and tables and task lists
 * that no plugin has parsed.
 */
export function warnOfUnparsed(source: string, file: string) {
  return () => (root: Node) => {
    const warn = (line: number | undefined, problem: string) => warnInDevelopment(`${file}:${line}: ${problem}`)
    const lineOf = (pattern: RegExp) => {
      const index = source.search(pattern)
      return index < 0 ? undefined : source.slice(0, index).split('\n').length
    }
    const nodes = [...descendants(root)]
    for (const { type, value = '', url, position } of nodes) {
      const target = linkedFile(url, file)
      if (target && !existsSync(new URL(target))) warn(position?.start.line, `the link ${url} leads to no file`)
      if (type === 'html' && !value.startsWith('<!--'))
        warn(position?.start.line, `${value.slice(0, 40)} is left out; HTML needs .mdx`)
    }
    const isInCode = nodes.some(
      ({ type, value = '' }) => type === 'code' && (delimiterRow.test(value) || task.test(value)),
    )
    const [row, item] = [lineOf(delimiterRow), lineOf(task)]
    if (row && !isInCode && !nodes.some(({ type }) => type === 'table'))
      warn(row, 'a table is shown as text; it needs remark-gfm')
    if (item && !isInCode && !nodes.some(({ checked }) => typeof checked === 'boolean'))
      warn(item, 'a task list is shown as text; it needs remark-gfm')
  }
}

function* descendants(node: Node): Generator<Node> {
  yield node
  for (const child of node.children ?? []) yield* descendants(child)
}
