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

/** Longer pages are read up to here, in characters. */
const maxLength = 2 * 1024 ** 2
// Comments, elements whose content is text, and tags. Each alternative matches wherever it begins, so that the time is linear.
const token =
  /<!--.*?(?:-->|$)|<(script|style|template|textarea|title)(?=[\s/>])(.*?)(?:<\/\1|$)|<([a-z][a-z\d-]*)(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>?([^<]*)/gis
/** An attribute, whose value is the second, third or fourth group. */
export const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g
const linkHeader = /<([^<>]*)>((?:\s*;\s*\w+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g

/** An opening tag. */
export interface Tag {
  name: string
  /** Those without a value are empty. */
  attributes: Attributes
  /** The text from the tag to the next one; of `<style>`, the stylesheet. */
  text: string
}

/**
 * Reads the tags of a page. It is no HTML parser: it reads tags wherever they are, except in comments, scripts and styles, and decodes the
 * character references that URLs need.
 */
export function readTags(html: string): Tag[] {
  return [...html.slice(0, maxLength).matchAll(token)].map(([, named, content = '', name, attributes, text]) => ({
    name: (named ?? name ?? '').toLowerCase(),
    attributes: readAttributes(attributes ?? ''),
    text: text ?? content.slice(content.indexOf('>') + 1),
  }))
}

/** Reads the links of a page. */
export function readLinks(html: string, header: string | null): PageLinks {
  const tags = readTags(html).map(({ name, attributes }) => ({ ...attributes, name }))
  const headers = [...(header ?? '').matchAll(linkHeader)].map(([, href, parameters = '']) => {
    return { ...readAttributes(parameters.replaceAll(';', ' ')), name: 'link', href }
  })
  const linked = [...tags, ...headers].filter(({ name, href }) => name === 'link' && href)
  const withRel = (wanted: string) => linked.filter(({ rel }) => rel?.toLowerCase().split(/\s+/).includes(wanted))
  return {
    language: tags.find(({ name }) => name === 'html')?.lang?.toLowerCase(),
    canonical: withRel('canonical')[0]?.href,
    alternates: withRel('alternate').flatMap(({ hreflang, href = '' }) =>
      hreflang === undefined ? [] : [[hreflang.toLowerCase(), href]],
    ),
    links: tags.flatMap(({ name, href }) => (name === 'a' && href ? [href] : [])),
  }
}

type AttributeName = 'lang' | 'rel' | 'href' | 'hreflang' | 'src' | 'class' | 'alt' | 'type' | 'role' | 'data-sw-scheme'
type Attributes = Partial<Record<AttributeName | `aria-${'label' | 'labelledby' | 'hidden'}`, string>>

/** Returns the attributes; of two with the same name, the first. */
function readAttributes(text: string): Attributes {
  const attributes: Record<string, string> = {}
  for (const [, name = '', ...values] of text.matchAll(attribute)) {
    attributes[name.toLowerCase()] ??= decodeReferences(values.find((each) => each !== undefined) ?? '')
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
