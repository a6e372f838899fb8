/** An opening tag. */
export interface Tag {
  name: string
  /** An attribute without a value is `''`. Of two attributes with the same name, the first counts. */
  attributes: Readonly<Record<string, string>>
  /** The text between this tag and the next tag; for `<style>`, the stylesheet. */
  text: string
}

const attrs = '((?:[^>"\']|"[^"]*"|\'[^\']*\')*)'
// Matches comments, elements whose content is text, and all other tags. An alternative whose beginning matches cannot
// fail later, so the time is linear.
const token = new RegExp(
  `<!--.*?(?:-->|$)|<(script|style|textarea|title)(?=[\\s/>])${attrs}(.*?)(?=</\\1|$)|<([a-z][^\\s/>]*)${attrs}(>?[^<]*)`,
  'gis',
)
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Replaces each opening tag of a page, together with the text up to the next tag. This is not an HTML parser: tags are
 * found everywhere except in comments, scripts and styles.
 *
 * @param replace Receives the text between the name and the next tag in two parts: the attributes, and the rest from
 *   `>` on.
 */
export function replaceTags(html: string, replace: (name: string, attributes: string, rest: string) => string): string {
  return html.replace(
    token,
    (comment, raw, rawAttributes, rawRest, name = raw, attributes = rawAttributes, rest = rawRest) =>
      name ? replace(name, attributes, rest) : comment,
  )
}

/**
 * Replaces the values of attributes. If `replace` returns `undefined`, the value stays as it is.
 *
 * @param replace Receives the name in lower case, and the value with its character references decoded. The value is
 *   `''` if the attribute has none.
 */
export function replaceValues(attributes: string, replace: (name: string, value: string) => string | undefined) {
  return attributes.replace(attribute, (whole, name: string, value = '') => {
    const replaced = replace(name.toLowerCase(), decodeReferences(value.replace(/^["']|["']$/g, '')))
    return replaced === undefined ? whole : `${name}="${replaced.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
  })
}

export function readAttributes(text: string): Tag['attributes'] {
  const attributes: Record<string, string> = {}
  replaceValues(text, (name, value) => {
    attributes[name] ??= value
  })
  return attributes
}

/** Reads the tags of a page. */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = []
  replaceTags(html, (name, attributes, rest) => {
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

/** Whether a tag is a `<link>` with a relation, such as `canonical`. */
export function hasRelation({ name, attributes: { rel = '' } }: Tag, relation: string): boolean {
  return name === 'link' && rel.toLowerCase().split(/\s+/).includes(relation)
}

/**
 * Returns the links among the tags of a page or a sitemap. An HTTP URL is returned as a path with its query; any other
 * URL is returned unchanged.
 *
 * @param page The URL of the page.
 */
export function readLinks(tags: readonly Tag[], page: string) {
  const linkTo = (relation: string) =>
    tags.filter((tag) => tag.attributes.href && hasRelation(tag, relation)).map(({ attributes }) => attributes)
  const { origin } = new URL(page)
  const language = tags.find(({ name }) => name === 'html')?.attributes.lang?.toLowerCase()
  const [canonical] = linkTo('canonical')
  const markdown = linkTo('alternate').find(({ type }) => type === 'text/markdown')
  const alternates = linkTo('alternate').filter(({ hreflang }) => hreflang !== undefined)
  const self = [canonical, alternates.find(({ hreflang }) => hreflang?.toLowerCase() === language)]
  const ownOrigins = self.flatMap((link) => toUrl(link?.href ?? '/', page)?.origin ?? [])
  // The page says at which origin it is published. An alternate of neither that origin nor the crawled one is on another
  // domain, which has the same paths. A page that does not say so has no alternates on other domains.
  const isElsewhere = (href: string) => self.some(Boolean) && !ownOrigins.includes(toUrl(href, page)?.origin ?? origin)
  return {
    /** The `lang` of `<html>`. */
    language,
    canonical: canonical?.href && toPath(canonical.href, page),
    /** The page's Markdown, from a `<link>` or from the `Link` header. */
    markdown: markdown?.href && toPath(markdown.href, page),
    /** Texts of `<title>` and `<h1>`. */
    titles: tags.flatMap(({ name, text }) => (/^(?:title|h1)$/.test(name) ? decodeReferences(text.trim()) : [])),
    /** URLs by `hreflang`, from `<link rel="alternate">` and from the `Link` header. Whole URLs are on other domains. */
    alternates: alternates.map(({ href = '', hreflang = '' }) => {
      return [hreflang.toLowerCase(), isElsewhere(href) ? href : toPath(href, page)] as const
    }),
    /** URLs of `<a>` within the site. */
    get links(): string[] {
      const urls = tags.map(({ name, attributes: { href } }) => (name === 'a' && href ? toUrl(href, page) : undefined))
      return urls.flatMap((url) => (url?.origin === origin ? url.pathname + url.search : []))
    },
    /** The origins at which the page is published, by its own links. */
    origins: self.some(Boolean) ? ownOrigins : [],
    /** URLs of `<loc>`, in a sitemap or an index of sitemaps. */
    listed: tags.filter(({ name }) => name === 'loc').map(({ text }) => decodeReferences(text.trim())),
  }
}

const namedReferences: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** Decodes the character references that URLs need: numeric references, and the named references of XML. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi, (whole, hex, decimal, name) => {
    if (name) return namedReferences[name.toLowerCase()] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

export function toUrl(href: string, base: string): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined
}

/** Returns the path and query of an HTTP URL, and any other text unchanged. */
export function toPath(href: string, base: string): string {
  const url = toUrl(href, base)
  return url?.protocol.startsWith('http') ? url.pathname + url.search : href
}
