import { expectRequest, type RouteHandler } from '../handler.js'
import { checkKnownOptions, checkString, required } from '../options.js'
import { createResponse } from '../response-factory.js'
import { markdownPath } from './markdown.js'
import { listCacheControl, type SitemapOptions, sitemapChecks } from './sitemap.js'

export interface LlmsTxtOptions extends SitemapOptions {
  /** Name of the site. */
  title: string
  /** One paragraph on the site. */
  summary: string
}

const checks = { ...sitemapChecks, title: required(checkString), summary: required(checkString) }
const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': listCacheControl }

/**
 * Creates the route of `/llms.txt` (https://llmstxt.org), which lists the Markdown of the sitemap's pages. A page without
 * `title` is left out. Returns `undefined` for other paths.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const pages = async function* () {
 *   yield* await cms.pages() // [{ path: '/about', title: 'About us' }]
 * }
 * createLlmsTxt({ routes, origin: 'https://www.example.com', pages, title: 'Boats', summary: 'A journal of harbors.' })
 */
export function createLlmsTxt(options: LlmsTxtOptions): RouteHandler {
  checkKnownOptions(options, checks, 'createLlmsTxt({ routes, origin, pages, title, summary })')
  return expectRequest(async ({ url, method }) => {
    if (new URL(url).pathname !== '/llms.txt' || (method !== 'GET' && method !== 'HEAD')) return undefined
    let text = `# ${options.title}\n\n> ${options.summary}\n\n## Pages\n\n`
    for await (const { path, language, title, summary } of options.pages()) {
      if (title === undefined) continue
      const page = await options.routes.findBySlug(language, path.split('/'))
      const link = `[${title.replace(/[\\[\]]/g, '\\$&')}](${options.origin}${markdownPath(page.path)})`
      text += `- ${link}${summary ? `: ${summary}` : ''}\n`
    }
    return createResponse(method === 'HEAD' ? null : text, { headers })
  })
}
