import { generateAtomFeed } from 'feedsmith'
import { createImageLoader } from 'sitewright/image'
import { routes } from './routes.js'

const origin = 'https://www.example.com'
const loader = createImageLoader({ sources: ['/media/'] })

interface Article {
  path: string
  title: string
  summary: string
  date: string
  photo: { src: string; width: number; height: number }
}

// Mount it inside the response cache, like the sitemap: each purge of an article renews it.
export function createFeed(articles: () => Promise<Article[]>) {
  return async ({ url }: Request): Promise<Response | undefined> => {
    if (new URL(url).pathname !== '/feed.xml') return undefined
    const entries = (await articles()).map(({ path, title, summary, date, photo }) => {
      const href = origin + routes.pathTo(path as '/articles/boats', 'en')
      // A reader asks for no modern format, so this one address is a JPEG.
      const src = origin + loader({ src: photo.src, width: 640 })
      const height = Math.round((640 * photo.height) / photo.width)
      const image = `<img src="${src}" width="640" height="${height}" alt="">`
      const content = { type: 'html', value: `${image}<p>${summary}</p>` }
      return {
        id: href,
        title: { value: title },
        updated: new Date(date),
        links: [{ href }],
        content,
      }
    })
    const dates = entries.map(({ updated }) => updated.getTime())
    const feed = generateAtomFeed({
      id: `${origin}/feed.xml`,
      title: { value: 'Boats' },
      updated: new Date(Math.max(0, ...dates)),
      authors: [{ name: 'Boats' }],
      links: [{ href: `${origin}/feed.xml`, rel: 'self' }, { href: origin }],
      entries,
    })
    return new Response(feed, {
      headers: {
        'Content-Type': 'application/atom+xml; charset=utf-8',
        'Cache-Control': 'public, max-age=0, s-maxage=3600',
      },
    })
  }
}
