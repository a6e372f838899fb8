/** A `<link>`: `canonical` without `hrefLang`, and `alternate` with a language or `'x-default'`. */
export type HeadLink = { rel: string; href: string; hrefLang?: string }

/** Writes a link for HTML. */
export function linkToHtml(link: HeadLink): string {
  return `<link ${linkAttributes(link).join(' ')}>`
}

/** Writes a link for the value of a `Link` header (RFC 8288). */
export function linkToHeader({ href, ...link }: HeadLink): string {
  return [`<${href}>`, ...linkAttributes(link)].join('; ')
}

/** Writes the attributes of a link for HTML and XML. */
export function linkAttributes(link: Partial<HeadLink>): string[] {
  return Object.entries(link).map(([name, value]) => `${name.toLowerCase()}="${escapeXml(value)}"`)
}

/** Escapes text for HTML and XML, also in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
