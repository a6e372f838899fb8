import { readAttributes, replaceTags, replaceValues } from './html.js'

/**
 * Returns the new URL for a URL in a file, or `undefined` to keep the URL. A link leads to a page; any other URL leads
 * to a file that the page needs.
 */
export type Rewrite = (url: string, isLink: boolean) => string | undefined

const withUrl = /^(?:href|src|poster|action|data-sw-index)$/
/** Relations of links that identify the page, or prepare a connection. */
const untouched = /^(?:canonical|alternate|preconnect|dns-prefetch)\b/i
const cssUrl = /\/\*.*?(?:\*\/|$)|url\(\s*("[^"]*"|'[^']*'|[^\s"'()]+)\s*\)|@import\s+("[^"]*"|'[^']*')/gs

/**
 * Rewrites the URLs of a page and of its `<style>`. Leaves out scripts of Next.js: the client of Next.js takes the
 * address of a page for its route, and would navigate away from a moved page.
 *
 * @example rewriteHtml('<a href="/a">A</a>', () => 'a/index.html') // '<a href="a/index.html">A</a>'
 */
export function rewriteHtml(html: string, rewrite: Rewrite): string {
  return replaceTags(html, (name, attributes, rest) => {
    const { rel = '', src = '' } = readAttributes(attributes)
    if (untouched.test(rel)) return `<${name}${attributes}${rest}`
    if (/^script$/i.test(name) && (src.includes('/_next/') || rest.includes('__next_f'))) return `<${name}>`
    const rewritten = replaceValues(attributes, (attribute, value) => {
      if (/^(?:image)?srcset$/.test(attribute)) return rewriteSet(value, rewrite)
      return withUrl.test(attribute) ? rewrite(value, /^(?:a|area|form)$/i.test(name)) : undefined
    })
    return `<${name}${rewritten}${/^style$/i.test(name) ? rewriteCss(rest, rewrite) : rest}`
  })
}

/** Rewrites the URLs of a stylesheet. */
export function rewriteCss(css: string, rewrite: Rewrite): string {
  return css.replace(cssUrl, (whole: string, url?: string, imported?: string) => {
    const declared = (url ?? imported)?.replace(/^["']|["']$/g, '')
    const rewritten = declared && rewrite(declared, false)
    if (!rewritten) return whole
    return imported ? `@import "${rewritten}"` : `url("${rewritten}")`
  })
}

/** Rewrites the URLs of `index.json`. */
export function rewriteIndex(json: string, rewrite: Rewrite): string {
  return json.replace(/"href":("[^"]*")/g, (whole, href: string) => {
    const rewritten = rewrite(JSON.parse(href), true)
    return rewritten === undefined ? whole : `"href":${JSON.stringify(rewritten)}`
  })
}

function rewriteSet(set: string, rewrite: Rewrite): string {
  const candidates = set.split(/,\s+/).map((candidate) => {
    const [url = '', ...size] = candidate.trim().split(/\s+/)
    return [rewrite(url, false) ?? url, ...size].join(' ')
  })
  return candidates.join(', ')
}
