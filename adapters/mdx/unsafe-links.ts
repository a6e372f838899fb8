/** The used fields of an HTML (hast) node. */
interface Node {
  tagName?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

// What browsers run as code or as a document of its own, by attribute.
const unsafeSchemes: Readonly<Record<string, RegExp>> = {
  href: /^(?:javascript|vbscript|data):/i,
  src: /^(?:javascript|vbscript):/i,
}
// Browsers ignore control characters and white space before a URL, and tabs and newlines within (URL standard, 4.4).
const ignored = /^[\0- ]+|[\t\n\r]/g

/**
 * Rehype plugin that removes links which run code, such as `javascript:`, and leaves their text. React 19 blocks some of
 * them, React 18 none.
 */
export function removeUnsafeLinks() {
  return (root: Node) => {
    const pending = [root]
    for (let node = pending.pop(); node; node = pending.pop()) {
      for (const [name, unsafe] of Object.entries(unsafeSchemes)) {
        const url = node.properties?.[name]
        if (typeof url === 'string' && unsafe.test(url.replace(ignored, ''))) delete node.properties?.[name]
      }
      pending.push(...(node.children ?? []))
    }
  }
}
