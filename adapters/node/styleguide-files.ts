import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RouteHandler } from '../../core/handler.js'
import { isNotModified } from '../../core/http/conditional.js'
import { jsonResponse } from '../../core/http/headers.js'
import { parseRoutePath } from '../../core/routes.js'

const types = { 'styleguide.css': 'text/css', 'styleguide.js': 'text/javascript' }

/**
 * Creates a route for the stylesheet and the script of the styleguide, for sites without a bundler that includes them:
 * `GET|HEAD {prefix}/styleguide.css` and `{prefix}/styleguide.js`. Mount it before the styleguide. Browsers revalidate
 * both by `ETag` on each use.
 *
 * @param options.prefix Folder of the two files. Default `'/styleguide'`.
 * @example app.use(honoMiddleware(styleguideFiles()), honoMiddleware(styleguide))
 */
export function styleguideFiles({ prefix = '/styleguide' }: { prefix?: string | undefined } = {}): RouteHandler {
  const folder = parseRoutePath('prefix', prefix)
  // Resolved by package name, which also works when a bundler has moved this code.
  const { resolve } = createRequire(import.meta.url)
  const files = new Map(
    Object.entries(types).map(([name, type]) => {
      const body = readFileSync(resolve(`sitewright/${name}`), 'utf8')
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
      return [`${folder}/${name}`, { type, body, etag }]
    }),
  )
  return async (request) => {
    const file = files.get(new URL(request.url).pathname)
    if (!file) return undefined
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') {
      return jsonResponse(405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' })
    }
    const { type, body, etag } = file
    const fields = {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=0, must-revalidate',
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
    }
    const status = isNotModified(headers, { status: 200, etag }) ? 304 : 200
    return new Response(method === 'HEAD' || status === 304 ? null : body, { status, headers: fields })
  }
}
