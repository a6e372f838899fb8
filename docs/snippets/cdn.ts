import { createResponseCache, memoryStore } from 'sitewright/cache'
import { fastly, purgeEverywhere, tagResponse } from 'sitewright/cdn'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

const { REVALIDATE_SECRET, FASTLY_SERVICE_ID = '', FASTLY_API_TOKEN = '' } = process.env
const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })

const renderPage = async (request: Request) => {
  const headers = {
    'Cache-Control': 'public, s-maxage=86400',
    'Cache-Tag': 'document, menu',
  }
  return new Response(new URL(request.url).pathname, { headers })
}

const cdn = fastly({ serviceId: FASTLY_SERVICE_ID, token: FASTLY_API_TOKEN })

// Outside of the cache, so that its hits tell the CDN their tags, too.
export const pages = tagResponse(cache.wrap(renderPage), cdn)

export const revalidate = createRevalidateEndpoint({
  secret: REVALIDATE_SECRET,
  // The cache first, then the CDN; 503 to the CMS unless both have done it.
  invalidate: purgeEverywhere({ invalidate: cache.invalidate, cdns: [cdn] }),
})
