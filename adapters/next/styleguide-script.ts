// Apart from `styleguide.ts`: that imports `next/navigation`, which Next.js 16 cannot load in a route.
import { createHash } from 'node:crypto'
import { isNotModified } from '../../core/http/conditional.js'
import { jsonResponse } from '../../core/http/headers.js'
import { type NextRoute, nextRoute } from './route.js'

// The text of `sitewright/styleguide.js`, which the build puts here: a bundle of Next.js cannot read it as a file.
declare const STYLEGUIDE_SCRIPT: string

/**
 * Creates the route of the styleguide's script, `sitewright/styleguide.js`, so that it need not be copied into `public`. It is a
 * script of the site's own origin, which `Content-Security-Policy: default-src 'self'` allows. Like files in `public` it
 * is revalidated by its `ETag` at each use.
 *
 * @example
 * // app/styleguide/script.js/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createStyleguideScriptRoute()
 *
 * // app/styleguide/layout.tsx, in <head>
 * <script src="/styleguide/script.js" />
 */
export function createStyleguideScriptRoute(): NextRoute {
  const script = STYLEGUIDE_SCRIPT
  const etag = `"${createHash('sha256').update(script).digest('base64url')}"`
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=0, must-revalidate',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  return nextRoute((request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return jsonResponse(405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' })
    }
    if (isNotModified(request.headers, { status: 200, etag })) return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : script, { headers })
  })
}
