/** An opening tag. */
export interface Tag {
  name: string
  /** Those without a value are empty; of two with the same name, the first. */
  attributes: Readonly<Record<string, string>>
  /** The text from the tag to the next one; of `<style>`, the stylesheet. */
  text: string
}

/** The links of a page. */
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
const written = '((?:[^>"\']|"[^"]*"|\'[^\']*\')*)'
// Comments, elements whose content is text, and all other tags. Each alternative matches wherever it begins, so that the time is linear.
const token = new RegExp(
  `<!--.*?(?:-->|$)|<(script|style|textarea|title)(?=[\\s/>])${written}(.*?)(?=</\\1|$)|<([a-z][^\\s/>]*)${written}(>?[^<]*)`,
  'gis',
)
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Replaces the opening tags of a page, with the text that follows each. It is no HTML parser: it finds tags wherever they are, except in
 * comments, scripts and styles.
 *
 * @param replace Receives the text between the name and the next tag in two parts: the attributes, and the rest from `>` on.
 */
export function replaceTags(html: string, replace: (name: string, attributes: string, rest: string) => string): string {
  return html.replace(
    token,
    (comment, raw, rawAttributes, rawRest, name = raw, attributes = rawAttributes, rest = rawRest) =>
      name ? replace(name, attributes, rest) : comment,
  )
}

/**
 * Replaces the values of attributes; `undefined` leaves one as it is.
 *
 * @param replace Receives the name in lower case, and the value with its character references decoded, `''` if there is none.
 */
export function replaceValues(
  attributes: string,
  replace: (name: string, value: string) => string | undefined,
): string {
  return attributes.replace(attribute, (whole, name: string, value = '') => {
    const replaced = replace(name.toLowerCase(), decodeReferences(value.replace(/^["']|["']$/g, '')))
    return replaced === undefined ? whole : `${name}="${replaced.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
  })
}

export function readAttributes(text: string): Tag['attributes'] {
  const attributes: Record<string, string> = {}
  replaceValues(text, (name, value) => {
    attributes[name] ??= value
    return undefined
  })
  return attributes
}

/** Reads the tags of a page. */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = []
  replaceTags(html.slice(0, maxLength), (name, attributes, rest) => {
    tags.push({ name: name.toLowerCase(), attributes: readAttributes(attributes), text: rest.replace(/^>/, '') })
    return ''
  })
  return tags
}

/**
 * Returns a `Link` header (RFC 8288) as tags.
 *
 * @example toLinkTags('</de>; rel="alternate"; hreflang="de"') // '<link href="/de" rel="alternate"  hreflang="de">'
 */
export function toLinkTags(header: string): string {
  return header.replace(/<([^<>]*)>([^<]*)/g, (_, href: string, parameters: string) => {
    return `<link href="${href}"${parameters.replace(/[;,]/g, ' ')}>`
  })
}

/** Whether a link has one of its relations. */
export function hasRelation({ name, attributes: { rel = '' } }: Tag, relation: string): boolean {
  return name === 'link' && rel.toLowerCase().split(/\s+/).includes(relation)
}

/** Returns the links among the tags of a page. */
export function readLinks(tags: readonly Tag[]): PageLinks {
  return {
    language: tags.find(({ name }) => name === 'html')?.attributes.lang?.toLowerCase(),
    canonical: tags.find((tag) => tag.attributes.href && hasRelation(tag, 'canonical'))?.attributes.href,
    alternates: tags.flatMap((tag) => {
      const { href, hreflang } = tag.attributes
      return href && hreflang !== undefined && hasRelation(tag, 'alternate') ? [[hreflang.toLowerCase(), href]] : []
    }),
    links: tags.flatMap(({ name, attributes: { href } }) => (name === 'a' && href ? [href] : [])),
  }
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
