import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { expressMiddleware, inFrontOf } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { createResponseCache, type ResponseCache, type ResponseCacheOptions } from '../../core/cache/index.js'
import { createPreview, type Preview, sharedSecret } from '../../core/preview/index.js'
import type { RunningServer } from '../adapter/adapter.js'
import { listen } from '../adapter/listen.js'
import { draftText, pages, publishedText, secret, urlSecret } from './oracle.js'

/** The servers on which a site can run. On Express, the cache stands in front of an app. */
export const servers: Record<string, (preview: Preview, cache: ResponseCache) => Promise<RunningServer>> = {
  Hono(preview, cache) {
    const page = cache.wrap((request) => renderPage(request.url, preview.isOn(request) !== undefined))
    const app = new Hono().use(honoMiddleware(preview.handler), honoMiddleware(page))
    return listen(createAdaptorServer({ fetch: app.fetch }) as Server)
  },
  Express(preview, cache) {
    const app = express().use(async (req, res) => {
      const isDraft = preview.isOn({ headers: new Headers({ Cookie: req.headers.cookie ?? '' }) }) !== undefined
      const page = renderPage(`http://localhost${req.originalUrl}`, isDraft)
      res
        .status(page.status)
        .set(Object.fromEntries(page.headers))
        .end(await page.text())
    })
    return listen(express().use(expressMiddleware(preview.handler), inFrontOf(cache, app)))
  },
}

function renderPage(url: string, isDraft: boolean): Response {
  const { pathname } = new URL(url)
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 's-maxage=60, stale-while-revalidate=60' }
  if (isDraft) return new Response(draftText, { headers })
  return new Response(publishedText, { headers, status: pathname === pages.at(-1) ? 404 : 200 })
}

/** Starts a site with previews and a cache. */
export async function startSite(name: string, options: Pick<ResponseCacheOptions, 'store' | 'tagIndex'>) {
  const preview = createPreview({ secret, verify: [sharedSecret({ secret: urlSecret })] })
  const cache = createResponseCache({ ...options, bypass: preview.bypass, log: () => {} })
  const server = await (servers[name] as (typeof servers)[string])(preview, cache)
  return { ...server, preview, cache }
}
