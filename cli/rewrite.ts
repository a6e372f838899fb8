import { attribute, decodeReferences } from './html.js'

/** Returns the new URL for a URL of a file, or `undefined` to leave it. A link leads to a page; anything else is part of the file. */
export type Rewrite = (url: string, isLink: boolean) => string | undefined

// Comments, elements whose content is text, and all other tags. Each alternative matches wherever it begins, so that the time is linear.
const attributes = '((?:[^>"\']|"[^"]*"|\'[^\']*\')*)'
const token = new RegExp(
  `<!--.*?(?:-->|$)|<(script|style|textarea|title)(?=[\\s/>])${attributes}(.*?)(?=</\\1|$)|<([a-z][^\\s/>]*)${attributes}`,
  'gis',
)
const withUrl = /^(?:href|src|srcset|imagesrcset|poster|data-sw-index)$/i
/** Links that say what the page is, or prepare a connection. */
const untouched = /\brel=["']?(?:canonical|alternate|preconnect|dns-prefetch)\b/i
/** The client of Next.js takes the address of a page for its route, and would leave a page that was moved. */
const nextClient = /\bsrc=["']?[^"']*\/_next\/|__next_f/
const cssUrl = /\/\*.*?(?:\*\/|$)|url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]+))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')/gs

/**
 * Rewrites the URLs of a page and of its `<style>`. Scripts of Next.js are left out.
 *
 * @example rewriteHtml('<a href="/a">A</a>', () => 'a/index.html') // '<a href="a/index.html">A</a>'
 */
export function rewriteHtml(html: string, rewrite: Rewrite): string {
  return html.replace(token, (whole, raw, rawAttributes, text, name, tagAttributes) => {
    const given: string | undefined = rawAttributes ?? tagAttributes
    if (given === undefined || untouched.test(given)) return whole
    if (/^script$/i.test(raw) && (nextClient.test(given) || nextClient.test(text))) return `<${raw}>`
    const isLink = /^(?:a|area)$/i.test(name)
    const written = given.replace(attribute, (each, key: string, ...values) => {
      if (!withUrl.test(key) || !each.includes('=')) return each
      const value = decodeReferences(values.slice(0, 3).find((some) => some !== undefined) ?? '')
      return `${key}="${escapeValue(/srcset$/i.test(key) ? rewriteSet(value, rewrite) : (rewrite(value, isLink) ?? value))}"`
    })
    return `<${raw ?? name}${written}${/^style$/i.test(raw) ? rewriteCss(text, rewrite) : (text ?? '')}`
  })
}

/** Rewrites the URLs of a stylesheet. */
export function rewriteCss(css: string, rewrite: Rewrite): string {
  return css.replace(cssUrl, (whole: string, ...values) => {
    const url: string | undefined = values.slice(0, 5).find((some) => some !== undefined)
    const written = url && rewrite(url, false)
    if (!written) return whole
    return whole.startsWith('@') ? `@import "${written}"` : `url("${written}")`
  })
}

function rewriteSet(set: string, rewrite: Rewrite): string {
  const candidates = set.split(/,\s+/).map((candidate) => {
    const [url = '', ...size] = candidate.trim().split(/\s+/)
    return [rewrite(url, false) ?? url, ...size].join(' ')
  })
  return candidates.join(', ')
}

function escapeValue(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
