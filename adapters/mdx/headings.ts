import { slugify } from '../../core/styleguide/index.js'
import { createUniqueSlugs } from '../../core/styleguide/internal.js'

/** What is needed of a node of Markdown (mdast) or HTML (hast). */
interface Node {
  type: string
  tagName?: string
  depth?: number
  value?: string
  alt?: string | null
  properties?: Record<string, unknown>
  children?: Node[]
}

/** Takes the first heading of depth 1 out of a page, if it is the page's title, which the styleguide shows itself. */
export function takeTitle(known: string | undefined, found: (title: string) => void) {
  return () => (root: Node) => {
    const heading = root.children?.find(({ type, depth }) => type === 'heading' && depth === 1)
    const title = heading && textOf(heading).trim()
    if (!title || (known !== undefined && known !== title)) return
    root.children?.splice(root.children.indexOf(heading), 1)
    found(title)
  }
}

/** Gives each heading the slug of its text as id, so that it can be linked to; a second one of the same text gets `-2`. */
export function headingIds() {
  return (root: Node) => {
    const idOf = createUniqueSlugs()
    for (const heading of headingsIn(root)) {
      const text = textOf(heading)
      if (!slugify(text) || heading.properties?.id !== undefined) continue
      heading.properties = { ...heading.properties, id: idOf(text) }
    }
  }
}

function* headingsIn(node: Node): Generator<Node> {
  if (node.type === 'element' && /^h[1-6]$/.test(node.tagName ?? '')) yield node
  else for (const child of node.children ?? []) yield* headingsIn(child)
}

function textOf({ value, alt, children = [] }: Node): string {
  return value ?? alt ?? children.map(textOf).join('')
}
