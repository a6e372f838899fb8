// Not in `styleguide.ts`, because that file imports `next/navigation`, which Next.js 16 cannot load in a route.
import { createHash } from 'node:crypto'
import { isNotModified } from '../../core/http/conditional.js'
import { jsonResponse } from '../../core/http/headers.js'
import { type NextRoute, nextRoute } from './route.js'

// The text of `sitewright/styleguide.js`, inserted by the build because a Next.js bundle cannot read it as a file.
declare const STYLEGUIDE_SCRIPT: string

/**
 * Creates the route that serves the styleguide's script, `sitewright/styleguide.js`, so you need not copy it into `public`.
 * The script comes from the site's own origin, so `Content-Security-Policy: default-src 'self'` allows it. Like files in
 * `public`, it is revalidated by its `ETag` on each use.
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
