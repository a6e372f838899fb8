import { Hono } from 'hono'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { createPreview, sharedSecret, storyblokPreview } from 'sitewright/preview'

export const preview = createPreview({
  secret: process.env.PREVIEW_SECRET, // openssl rand -hex 32
  verify: [
    storyblokPreview({ token: process.env.STORYBLOK_PREVIEW_TOKEN }),
    sharedSecret({
      name: 'contentful',
      secret: process.env.CONTENTFUL_URL_SECRET,
      draft(url, headers) {
        if (url.host !== 'cdn.contentful.com') return
        url.host = 'preview.contentful.com'
        headers.set('Authorization', `Bearer ${process.env.CONTENTFUL_PREVIEW_TOKEN}`)
      },
    }),
  ],
  studio: ['https://app.storyblok.com', 'https://app.contentful.com'],
})

const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  bypass: preview.bypass, // only a valid cookie passes
})

export const app = new Hono()
app.use(honoMiddleware(preview.handler), honoMiddleware(cache.wrap(renderPage)))

async function renderPage(request: Request): Promise<Response> {
  const read = preview.fetch(request) // with content tags: preview.fetch(request, content.fetch)
  const story = await read(
    `https://api.storyblok.com/v2/cdn/stories${new URL(request.url).pathname}`,
  )
  const html = `<main>${await story.text()}</main>${preview.bar(request)}`
  const headers = {
    'Content-Type': 'text/html',
    'Cache-Control': 'max-age=0, s-maxage=86400',
  }
  return new Response(html, { status: story.status, headers })
}
