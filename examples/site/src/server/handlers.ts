import { join } from 'node:path'
import { purgeEverywhere, tagResponse } from 'sitewright/cdn'
import type { Handler, RouteHandler } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { measureImages } from 'sitewright/styleguide'
import { languages, loadSites, type Sites } from '../content/site.ts'
import { createStyleguideTree } from '../styleguide.tsx'
import { createSiteCache, documentTag } from './cache.ts'
import { cdnsOf } from './cdns.ts'
import { createFiles } from './files.ts'
import { createImages, type ImageFolders, loadImage } from './images.ts'
import { createFailure, createPages } from './pages.tsx'
import { Picture } from './picture.tsx'
import { readUntilPurged } from './read-until-purged.ts'
import { createSiteStyleguide } from './styleguide.tsx'

export interface Folders extends ImageFolders {
  /** Where `tokens.css` is. */
  styles: string
  /** Where the styleguide's pages are that are written in Markdown. */
  styleguide: string
  /** What the build wrote: `app.js`, and stylesheets and fonts in `assets`. */
  build: string
}

/** All that the site answers, as web handlers: a server mounts them in this order. */
export interface SiteHandlers {
  images: RouteHandler
  revalidate: RouteHandler
  styleguide: RouteHandler
  files: RouteHandler
  pages: Handler
  /** The page that says that something failed. */
  fail: (error: unknown) => Promise<Response>
  /** What to open and what to try, for whoever started the server. */
  notes: string
  /** Lets go of what would keep the process alive. */
  close: () => void
}

/** Creates the site's handlers. Content is read here, and again each time that an editor's CMS calls `/api/revalidate`. */
export async function createSiteHandlers(folders: Folders, origin: string, env = process.env): Promise<SiteHandlers> {
  const cache = await createSiteCache(folders.build, env)
  const cdns = cdnsOf(env)
  const readSites = readUntilPurged(cache.tagIndex, documentTag, () => loadSites(folders.site))
  const sites = await readSites()
  const images = createImages(folders, env)
  const tree = await createStyleguideTree({
    styles: folders.styles,
    pages: folders.styleguide,
    site: sites.en,
    Picture,
    measure: (src) => measureImages({ fetch: images.handler, loader: loadImage, src }),
  })
  return {
    images: images.handler,
    revalidate: createRevalidateEndpoint({
      secret: env.REVALIDATE_SECRET,
      invalidate: purgeEverywhere({
        invalidate: async (tags, options) => {
          await loadSites(folders.site) // content that nobody can read must not take the pages away
          await cache.pages.invalidate(tags, options)
        },
        cdns,
      }),
    }),
    styleguide: createSiteStyleguide(tree, env.STYLEGUIDE_ENABLED === 'true'),
    files: await createFiles([
      { path: '/assets/', folder: join(folders.build, 'assets'), cacheControl: 'public, max-age=31536000, immutable' },
      { path: '/media/', folder: join(folders.site, 'media'), cacheControl: 'public, max-age=3600' },
      { path: '/', folder: join(folders.site, 'public'), cacheControl: 'public, max-age=3600' },
    ]),
    pages: tagResponse(cache.pages.wrap(createPages(readSites, origin)), ...cdns),
    fail: (error) => {
      console.error(error)
      return createFailure(error)
    },
    notes: describe(origin, sites, {
      Images: images.service,
      Cache: `pages ${cache.place}; their Cache-Status says hit or miss`,
      Styleguide:
        env.STYLEGUIDE_ENABLED === 'true' ? `${origin}/styleguide` : 'off; STYLEGUIDE_ENABLED=true turns it on',
    }),
    close: cache.close,
  }
}

function describe(origin: string, sites: Sites, parts: Record<string, string>): string {
  const image = origin + loadImage({ src: sites.en.home.cover.photograph.src, width: 640 })
  const lines = {
    Pages: languages.map((language) => (language === 'en' ? origin : `${origin}/${language}`)).join('   '),
    Picture: image,
    Try: `curl -sS -o /dev/null -D - -H 'Accept: image/avif' '${image}'`,
    ...parts,
  }
  const described = Object.entries(lines).map(([name, text]) => `  ${name.padEnd(10)}  ${text}`)
  return [`Silver & Salt is on ${origin}`, '', ...described, ''].join('\n')
}
