import { join } from 'node:path'
import type { ResponseCacheOptions } from 'sitewright/cache'
import type { Cdn } from 'sitewright/cdn'
import { type ContentTags, createContentTags } from 'sitewright/content'
import type { Handler, Images, ImagesOptions, RouteHandler } from 'sitewright/image'
import type { StyleguideTree } from 'sitewright/react/styleguide'
import { measureImages, type StyleguideView } from 'sitewright/styleguide'
import { createSiteRoutes, languages, pathTo } from '../content/languages.ts'
import { loadSites, type Sites } from '../content/site.ts'
import { createStyleguideTree } from '../styleguide.tsx'
import { readCdns } from './cdns.ts'
import { contentFolder } from './content-folder.ts'
import { createFiles } from './files.ts'
import { describeImages, type ImageFolders, imageOptions, loadImage } from './images.ts'
import { createFailure, createPages } from './pages.tsx'
import { Picture } from './picture.tsx'
import { readUntilPurged } from './read-until-purged.ts'
import { openStores } from './stores.ts'
import { renderStyleguide } from './styleguide.tsx'

export interface Folders extends ImageFolders {
  /** Folder of `tokens.css`. */
  styles: string
  /** Folder of the styleguide pages in Markdown. */
  styleguide: string
  /** Output of the build: `app.js`, and stylesheets and fonts in `assets`. */
  build: string
}

/** The site's own parts. The server combines them with the features of sitewright. */
export interface SiteParts {
  imageOptions: ImagesOptions
  /** The store of the pages and the index of their purges: in memory, or in Redis. */
  stores: Pick<ResponseCacheOptions, 'store' | 'tagIndex'>
  /** Notes the files that a page shows. */
  content: ContentTags
  routes: ReturnType<typeof createSiteRoutes>
  cdns: Cdn[]
  /** Reads the content, and fails if it has errors. */
  checkContent: () => Promise<unknown>
  /** The tag of all content. Once it is purged, the files are read again. */
  contentTag: string
  createPages: (images: Images) => Handler
  /** Reads the tree of the styleguide, and returns it with the function that renders it. Measures the photographs. */
  readStyleguide: (images: Images) => Promise<{
    tree: StyleguideTree
    render: (view: StyleguideView) => Promise<Response>
  }>
  /** Stylesheets, fonts, originals and public files. */
  files: RouteHandler
  /** Renders the error page. */
  fail: (error: unknown) => Promise<Response>
  /** The start message: URLs to open and commands to try. */
  notes: string
  /** Closes the connections that would keep the process alive. */
  close: () => void
}

/** Reads the site. Its content is read again after a purge of `contentTag`. */
export async function createSite(folders: Folders, origin: string, env = process.env): Promise<SiteParts> {
  const contentTag = 'content'
  const content = createContentTags({ sources: [contentFolder] })
  const { stores, location, close } = await openStores(folders.build, env)
  const readSites = readUntilPurged(stores.tagIndex, contentTag, () =>
    loadSites(folders.site, (file) => content.add([file])),
  )
  const sites = await readSites()
  const routes = createSiteRoutes(readSites)
  return {
    imageOptions: imageOptions(folders, env, env.REDIS_URL ? stores.tagIndex : undefined),
    stores,
    content,
    routes,
    cdns: readCdns(env),
    checkContent: () => loadSites(folders.site),
    contentTag,
    createPages: (images) => createPages(readSites, routes, origin, images),
    async readStyleguide(images) {
      const readTree = () =>
        createStyleguideTree({
          styles: folders.styles,
          pages: folders.styleguide,
          site: sites.en,
          Picture,
          measure: (src) => measureImages({ fetch: images.handler, loader: loadImage, src }),
        })
      const tree = await readTree()
      // In development, each page reads the files again, so that edits show. An error is shown in the previous tree.
      const isEdited = (view: StyleguideView) => import.meta.env.DEV && view.error === undefined
      return { tree, render: async (view) => renderStyleguide(isEdited(view) ? await readTree() : tree, view) }
    },
    files: await createFiles([
      { path: '/assets/', folder: join(folders.build, 'assets'), cacheControl: 'public, max-age=31536000, immutable' },
      { path: '/media/', folder: join(folders.site, 'media'), cacheControl: 'public, max-age=3600' },
      { path: '/', folder: join(folders.site, 'public'), cacheControl: 'public, max-age=3600' },
    ]),
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
      Images: describeImages(folders, env),
      Cache: `pages ${location}; their Cache-Status says hit or miss`,
    }),
    close,
  }
}

function formatNotes(origin: string, sites: Sites, services: Record<string, string>): string {
  const image = origin + loadImage({ src: sites.en.home.cover.photograph.src, width: 640 })
  const { Styleguide = '', ...otherServices } = services
  const lines = {
    'Open first': languages
      .map((language) => new URL(pathTo('/', language), origin).href.replace(/\/$/, ''))
      .join('   '),
    Styleguide,
    Picture: image,
    Try: `curl -sS -o /dev/null -D - -H 'Accept: image/avif' '${image}'`,
    ...otherServices,
  }
  const rows = Object.entries(lines).map(([name, text]) => `  ${name.padEnd(10)}  ${text}`)
  return [`Silver & Salt is on ${origin}`, '', ...rows, ''].join('\n')
}
