/** What `check` reads of a page. */
export interface PageLinks {
  /** The `lang` of `<html>`. */
  language: string | undefined
  canonical: string | undefined
  /** URLs by `hreflang`, of `<link rel="alternate">` and of the `Link` header. */
  alternates: [hrefLang: string, href: string][]
  /** URLs of `<a>`. */
  links: string[]
}

const wanted = new Set(['html', 'link', 'a'])
// Their content is text, in which a tag is none.
const isRawText = new Set(['script', 'style', 'template', 'textarea', 'title'])
/** Longer pages are read up to here, in characters. */
const maxLength = 2 * 1024 ** 2

const attribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/y
const linkHeader = /<([^<>]*)>((?:\s*;\s*\w+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g

/**
 * Reads the links of a page. It is no HTML parser: it reads the tags `<html>`, `<link>` and `<a>` wherever they are, except in comments,
 * scripts and styles, and decodes the character references that URLs need.
 */
export function readLinks(html: string, header: string | null): PageLinks {
  const tags = [...readTags(html.slice(0, maxLength))]
  const headers = [...(header ?? '').matchAll(linkHeader)].map(([, href = '', parameters = '']) => ({
    name: 'link',
    ...readAttributes(parameters.replaceAll(';', ' ')),
    href,
  }))
  const links = [...tags, ...headers].filter(({ name, href }) => name === 'link' && href !== undefined)
  const isRel = (wanted: string) => (each: Attributes) => each.rel?.toLowerCase().split(/\s+/).includes(wanted)
  const alternates = links
    .filter(isRel('alternate'))
    .flatMap(({ hreflang, href = '' }): [string, string][] =>
      hreflang === undefined ? [] : [[hreflang.toLowerCase(), href]],
    )
  return {
    language: tags.find(({ name }) => name === 'html')?.lang?.toLowerCase(),
    canonical: links.find(isRel('canonical'))?.href,
    alternates,
    links: tags.flatMap(({ name, href }) => (name === 'a' && href !== undefined ? [href] : [])),
  }
}

type Attributes = Partial<Record<'rel' | 'href' | 'hreflang' | 'lang', string>>

/** Reads the tags, at most once over each character. */
function* readTags(html: string): Generator<Attributes & { name: string }> {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const [start, name = ''] = /^<(!--|[a-z][^\s/>]*)/i.exec(html.slice(at, at + 32)) ?? []
    if (start === undefined) continue
    const lower = name.toLowerCase()
    if (wanted.has(lower)) yield { name: lower, ...readAttributes(html, at + start.length) }
    const end = lower === '!--' ? '-->' : isRawText.has(lower) ? `</${lower}` : undefined
    if (end === undefined) continue
    at = html.indexOf(end, at + start.length)
    if (at < 0) return
  }
}

function readAttributes(text: string, from = 0): Attributes {
  const attributes: Record<string, string> = {}
  attribute.lastIndex = from
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name = '', ...values] = found
    const value = values.find((each) => each !== undefined)
    if (value !== undefined) attributes[name.toLowerCase()] ??= decodeReferences(value)
  }
  return attributes
}

const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** Decodes the character references that URLs need: numeric ones, and those of XML. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name.toLowerCase()] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
