import { sha256Bytes } from './crypto.js'

const commonStyle = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #16181d); color: light-dark(#181b22, #eceef2) }
body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 0 1rem }
button { margin: 0 .5rem .5rem 0; padding: .625rem 1rem; font: inherit; border-radius: .375rem;
  border: 1px solid light-dark(#767676, #949494); background: light-dark(#f1f1f3, #2a2e37); color: inherit; cursor: pointer }
button:disabled { opacity: .5; cursor: default }
:focus-visible { outline: 2px solid light-dark(#0a58ca, #8ab4f8); outline-offset: 2px }
`

/**
 * Creates a page for editors, which no cache stores. Its policy allows only its own style and script, by their hashes.
 *
 * @param title The title and heading, as text without markup.
 * @param policy The directives of the policy that differ between pages.
 * @param own The page's own script, and rules that follow the common ones.
 * @example htmlPage(410, 'Expired', '<p>Ask for a new link.</p>', "frame-ancestors 'none'")
 */
export async function htmlPage(
  status: number,
  title: string,
  body: string,
  policy: string,
  { style = '', script = '' } = {},
): Promise<Response> {
  const rules = commonStyle + style
  const [styleHash, scriptHash] = await Promise.all([hashOf(rules), hashOf(script)])
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${rules}</style>
<main>
<h1>${title}</h1>${body}
</main>
${script && `<script>${script}</script>`}
</html>
`
  const own = `default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; base-uri 'none'`
  return new Response(page, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${own}; ${policy}`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
    },
  })
}

async function hashOf(text: string): Promise<string> {
  const bytes = await sha256Bytes(new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...bytes))}'`
}
