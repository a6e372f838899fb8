import { join } from 'node:path'
import { purgeEverywhere, tagResponse } from 'sitewright/cdn'
import { createContentTags } from 'sitewright/content'
import type { Handler, RouteHandler } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { measureImages } from 'sitewright/styleguide'
import { createSiteRoutes, languages, pathTo } from '../content/languages.ts'
import { loadSites, type Sites } from '../content/site.ts'
import { createStyleguideTree } from '../styleguide.tsx'
import { createSiteCache } from './cache.ts'
import { readCdns } from './cdns.ts'
import { contentFolder } from './content-folder.ts'
import { createFiles } from './files.ts'
import { createSiteImages, type ImageFolders, loadImage } from './images.ts'
import { createFailure, createPages } from './pages.tsx'
import { Picture } from './picture.tsx'
import { readUntilPurged } from './read-until-purged.ts'
import { createSiteStyleguide } from './styleguide.tsx'

export interface Folders extends ImageFolders {
  /** Folder of `tokens.css`. */
  styles: string
  /** Folder of the styleguide pages in Markdown. */
  styleguide: string
  /** Output of the build: `app.js`, and stylesheets and fonts in `assets`. */
  build: string
}

const contentTag = 'content'

/** The routes of the site, as web handlers. A server mounts them in this order. */
export interface SiteHandlers {
  images: RouteHandler
  revalidate: RouteHandler
  styleguide: RouteHandler
  files: RouteHandler
  pages: Handler
  /** Renders the error page. */
  fail: (error: unknown) => Promise<Response>
  /** The start message: what to open and what to try. */
  notes: string
  /** Closes what would keep the process alive. */
  close: () => void
}

/** Creates the site's handlers. The content is read here, and again whenever a CMS calls `/api/revalidate`. */
export async function createSiteHandlers(folders: Folders, origin: string, env = process.env): Promise<SiteHandlers> {
  const content = createContentTags({ sources: [contentFolder] })
  const cache = await createSiteCache(folders.build, env, content)
  const cdns = readCdns(env)
  const readSites = readUntilPurged(cache.tagIndex, contentTag, () =>
    loadSites(folders.site, (file) => content.add([file])),
  )
  const sites = await readSites()
  const routes = createSiteRoutes(readSites)
  const images = createSiteImages(folders, env, env.REDIS_URL ? cache.tagIndex : undefined)
  const readStyleguide = async () => {
    const tree = await createStyleguideTree({
      styles: folders.styles,
      pages: folders.styleguide,
      site: sites.en,
      Picture,
      measure: (src) => measureImages({ fetch: images.handler, loader: loadImage, src }),
    })
    return createSiteStyleguide(tree, env.STYLEGUIDE_ENABLED === 'true')
  }
  const styleguide = await readStyleguide()
  const revalidate = createRevalidateEndpoint({
    secret: env.REVALIDATE_SECRET,
    content,
    images,
    pathsOf: routes.pathsOf,
    invalidate: purgeEverywhere({
      invalidate: async (tags, options) => {
        await loadSites(folders.site) // content with errors must not remove the current pages
        // Whatever is purged, the files may have changed: they are read again.
        await cache.pages.invalidate([...tags, contentTag], options)
      },
      cdns,
    }),
  })
  return {
    images: images.handler,
    revalidate,
    // Development reads the files for each page again, so that what was edited shows.
    styleguide: import.meta.env.DEV
      ? async (request) => (isOfStyleguide(request) ? (await readStyleguide())(request) : undefined)
      : styleguide,
    files: await createFiles([
      { path: '/assets/', folder: join(folders.build, 'assets'), cacheControl: 'public, max-age=31536000, immutable' },
      { path: '/media/', folder: join(folders.site, 'media'), cacheControl: 'public, max-age=3600' },
      { path: '/', folder: join(folders.site, 'public'), cacheControl: 'public, max-age=3600' },
    ]),
    pages: tagResponse(cache.pages.wrap(createPages(readSites, routes, origin)), ...cdns),
    fail: (error) => {
      console.error(error)
      return createFailure(error)
    },
    notes: formatNotes(origin, sites, {
      Styleguide:
        env.STYLEGUIDE_ENABLED === 'true' ? `${origin}/styleguide` : 'off; STYLEGUIDE_ENABLED=true turns it on',
      Purge: env.REVALIDATE_SECRET
        ? `curl -X POST -H "Authorization: Bearer $REVALIDATE_SECRET" ${origin}/api/revalidate`
        : 'off; REVALIDATE_SECRET=… turns it on',
      Images: images.service,
      Cache: `pages ${cache.location}; their Cache-Status says hit or miss`,
    }),
    close: cache.close,
  }
}

function isOfStyleguide({ url }: Request): boolean {
  return /^\/styleguide(\/|$)/.test(new URL(url).pathname)
}

function formatNotes(origin: string, sites: Sites, services: Record<string, string>): string {
  const image = origin + loadImage({ src: sites.en.home.cover.photograph.src, width: 640 })
  const { Styleguide = '', ...others } = services
  const lines = {
    'Open first': languages
      .map((language) => new URL(pathTo('/', language), origin).href.replace(/\/$/, ''))
      .join('   '),
    Styleguide,
    Picture: image,
    Try: `curl -sS -o /dev/null -D - -H 'Accept: image/avif' '${image}'`,
    ...others,
  }
  const rows = Object.entries(lines).map(([name, text]) => `  ${name.padEnd(10)}  ${text}`)
  return [`Silver & Salt is on ${origin}`, '', ...rows, ''].join('\n')
}
