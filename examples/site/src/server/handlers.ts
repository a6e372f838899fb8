import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Handler, RouteHandler } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { languages, loadSites, type Sites } from '../content/site.ts'
import { createFiles } from './files.ts'
import { createImages, type ImageFolders, loadImage } from './images.ts'
import { createFailure, createPages, type Edition } from './pages.tsx'
import { createSiteStyleguide } from './styleguide.tsx'

export interface Folders extends ImageFolders {
  /** Where `tokens.css` is. */
  styles: string
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
}

/** Creates the site's handlers. Content is read here, and again each time that an editor's CMS calls `/api/revalidate`. */
export async function createSiteHandlers(folders: Folders, origin: string, env = process.env): Promise<SiteHandlers> {
  let edition = await readEdition(folders)
  let reading = Promise.resolve()
  const images = createImages(folders, env)
  const files = await createFiles([
    { path: '/assets/', folder: join(folders.build, 'assets'), cacheControl: 'public, max-age=31536000, immutable' },
    { path: '/media/', folder: join(folders.site, 'media'), cacheControl: 'public, max-age=3600' },
    { path: '/', folder: join(folders.site, 'public'), cacheControl: 'public, max-age=3600' },
  ])
  return {
    images: images.handler,
    revalidate: createRevalidateEndpoint({
      secret: env.REVALIDATE_SECRET,
      // One after the other: of two publications at the same time, the later one must win.
      invalidate: () => {
        reading = reading
          .catch(() => {})
          .then(async () => {
            edition = await readEdition(folders)
          })
        return reading
      },
    }),
    styleguide: await createSiteStyleguide(folders.styles, edition.sites.en, env.STYLEGUIDE_ENABLED === 'true'),
    files,
    pages: createPages(() => edition, origin),
    fail: (error) => {
      console.error(error)
      return createFailure(error)
    },
    notes: describe(origin, images.service, edition.sites),
  }
}

async function readEdition({ site, build }: Folders): Promise<Edition> {
  const sites = await loadSites(site)
  if (import.meta.env.DEV) return { sites, version: undefined }
  // Pages are made of code and content; what the pages say of the content is in `sites`.
  const content = JSON.stringify(sites, (_, value) => (value instanceof Map ? [...value] : value))
  const code = await readFile(join(build, 'app.js'))
  return { sites, version: createHash('sha256').update(code).update(content).digest('hex') }
}

function describe(origin: string, service: string, sites: Sites): string {
  const image = origin + loadImage({ src: sites.en.home.cover.photograph.src, width: 640 })
  return [
    `Silver & Salt is on ${origin}`,
    '',
    `  Pages    ${languages.map((language) => (language === 'en' ? origin : `${origin}/${language}`)).join('   ')}`,
    `  Picture  ${image}`,
    `  Try      curl -sS -o /dev/null -D - -H 'Accept: image/avif' '${image}'`,
    `  Images   ${service}`,
    '',
  ].join('\n')
}
