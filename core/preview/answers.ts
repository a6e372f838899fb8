import type { HeadFields } from '../cache/own-request.js'
import { makePrivate } from '../cache/pass.js'
import { htmlPage } from '../html-page.js'

const site = 'http://site.invalid'

/**
 * Returns a path of the site with its query and fragment, as the URL standard normalizes it, or `undefined` for
 * anything that a browser could take for another site. A slash at the beginning may be missing, because some CMSs
 * send a bare slug.
 *
 * @example sitePath('articles/boats?page=2') // '/articles/boats?page=2'
 * @example sitePath('//evil.example/') // undefined
 */
export function sitePath(text: string): string | undefined {
  const path = text.startsWith('/') ? text : `/${text}`
  // Browsers read a backslash as a slash, and remove tabs and line breaks.
  if (/[\\\p{Cc}]/u.test(path) || !URL.canParse(path, site)) return undefined
  const { origin, pathname, search, hash } = new URL(path, site)
  // `/.//evil.example` becomes `//evil.example`, which names another site.
  return origin === site && !pathname.startsWith('//') ? pathname + search + hash : undefined
}

/** Creates a redirect that no cache stores, and after which no page learns the address before. */
export function redirectTo(path: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** Keeps a draft out of every cache and index, and changes who may frame it to `ancestors`. */
export function protectDraft(headers: HeadFields, ancestors: string): void {
  makePrivate(headers, false)
  headers.set('cache-control', 'private, no-store')
  headers.set('x-robots-tag', 'noindex')
  headers.delete('x-frame-options')
  // A page must satisfy all of its policies, which commas separate.
  const policies = (headers.get('content-security-policy') ?? '').split(',').map((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim())
    return [...directives.filter((text) => text && !/^frame-ancestors(?:\s|$)/i.test(text)), ancestors].join('; ')
  })
  headers.set('content-security-policy', policies.join(', '))
}

// The script moves the token from the fragment, which no server and no log sees, into a form.
const linkScript = `
const [form] = document.forms
form.elements.token.value = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
form.submit()
`

/** Creates the page behind a link for colleagues. */
export function linkPage(): Promise<Response> {
  const form =
    '<form method="post"><input type="hidden" name="token"></form><noscript>Please turn on JavaScript.</noscript>'
  return htmlPage(200, 'Preview', form, "form-action 'self'; frame-ancestors 'none'", { script: linkScript })
}

/** Formats the bar of a draft. Its stylesheet is a file of the site, so that a strict policy allows it. */
export function formatBar(path: string): string {
  return `<link rel="stylesheet" href="${path}/bar.css"><aside class="sitewright-preview" lang="en" aria-label="Preview">
<strong>Draft</strong><form method="post" action="${path}/exit"><button>Exit preview</button></form></aside>`
}

const barStyle = `.sitewright-preview { position: fixed; inset: auto auto 1rem 1rem; z-index: 2147483647; color-scheme: light dark;
  display: flex; gap: .75rem; align-items: center; padding: .375rem .375rem .375rem .875rem; font: 1rem/1.5 system-ui, sans-serif;
  color: CanvasText; background: Canvas; border: 1px solid GrayText; border-radius: .5rem; box-shadow: 0 .25rem 1rem #0004 }
.sitewright-preview form { margin: 0 }
.sitewright-preview button { padding: .375rem .75rem; font: inherit; color-scheme: inherit; cursor: pointer }
@media print { .sitewright-preview { display: none } }
`

/** Creates the stylesheet of the bar. */
export function barStylesheet(): Response {
  return new Response(barStyle, { headers: { 'Content-Type': 'text/css', 'Cache-Control': 'max-age=3600' } })
}
