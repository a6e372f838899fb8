import { sha256Hex } from '../../core/crypto.js'
import type { RouteHandler } from '../../core/handler.js'
import { isNotModified } from '../../core/http/conditional.js'
import { jsonResponse } from '../../core/http/headers.js'
import { checkKnownOptions } from '../../core/options.js'
import { parseRoutePath } from '../../core/routes.js'
import { spacingStylesheet } from '../../core/spacing/index.js'

// The build inserts both texts, because a bundled server, such as that of Next.js, cannot read the package's files.
declare const STYLEGUIDE_CSS: string
declare const STYLEGUIDE_SCRIPT: string
declare const X_RAY_CSS: string
declare const X_RAY_SCRIPT: string

/**
 * Creates a route for the package's stylesheets and script, for sites without a bundler that includes them:
 * `GET|HEAD {prefix}/spacing.css`, `spacing.layer.css`, `styleguide.css` and `styleguide.js`, and for the page X-ray
 * `x-ray.css` and `x-ray.js`. They come from the site's own origin, so `Content-Security-Policy: default-src 'self'`
 * allows them. Browsers revalidate them by `ETag` on each use.
 *
 * @param options.prefix Folder of the files. Default `'/sitewright'`.
 * @throws TypeError for a prefix that is not a plain path.
 * @example app.use(honoMiddleware(packageFiles())) // <link rel="stylesheet" href="/sitewright/spacing.css">
 * @example
 * // Next.js: app/sitewright/[file]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(packageFiles())
 */
export function packageFiles(options: { prefix?: string | undefined } = {}): RouteHandler {
  const { prefix = '/sitewright' } = checkKnownOptions(options, { prefix: parseRoutePath }, 'packageFiles({ prefix })')
  const folder = parseRoutePath('prefix', prefix)
  const texts = {
    'spacing.css': spacingStylesheet(),
    'spacing.layer.css': spacingStylesheet({ layered: true }),
    'styleguide.css': STYLEGUIDE_CSS,
    'styleguide.js': STYLEGUIDE_SCRIPT,
    'x-ray.css': X_RAY_CSS,
    'x-ray.js': X_RAY_SCRIPT,
  }
  const files = new Map(
    Object.entries(texts).map(([name, body]) => [`${folder}/${name}`, { body, etag: `"${sha256Hex(body)}"` }]),
  )
  return async ({ url, method, headers }) => {
    const { pathname } = new URL(url)
    const file = files.get(pathname)
    if (!file) return undefined
    if (method !== 'GET' && method !== 'HEAD') {
      return jsonResponse(405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' })
    }
    const { body, etag } = file
    const fields = {
      'Content-Type': `text/${pathname.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      'Cache-Control': 'public, max-age=0, must-revalidate',
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
    }
    const status = isNotModified(headers, { status: 200, etag }) ? 304 : 200
    return new Response(method === 'HEAD' || status === 304 ? null : body, { status, headers: fields })
  }
}
