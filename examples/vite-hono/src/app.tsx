import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { languages, loadSites } from 'example-site'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { honoMiddleware } from 'sitewright/hono'
import { createFiles } from './files.ts'
import { createImages, loadImage } from './images.ts'
import { createFailure, createPages } from './pages.tsx'

export interface Folders {
  /** Of the package `example-site`. */
  site: string
  /** Where the build wrote stylesheet and fonts. */
  assets: string
  /** Where anything may be kept that can be made again. */
  cache: string
}

/** The whole server: features, each mounted in one line. */
export async function createApp(folders: Folders, origin: string) {
  const sites = await loadSites(folders.site)
  const images = createImages(folders)
  const files = await createFiles([
    { path: '/assets/', folder: folders.assets, cacheControl: 'public, max-age=31536000, immutable' },
    { path: '/media/', folder: join(folders.site, 'media'), cacheControl: 'public, max-age=3600' },
    { path: '/', folder: join(folders.site, 'public'), cacheControl: 'public, max-age=3600' },
  ])
  const version = import.meta.env.PROD ? await hash(fileURLToPath(import.meta.url), sites) : undefined
  const pages = createPages({ sites, origin, version })

  const app = new Hono()
  app.use(honoMiddleware(images.handler), compress(), honoMiddleware(files), honoMiddleware(pages))
  app.onError((error) => {
    console.error(error)
    return createFailure()
  })
  return { app, notes: notes(origin, images.service, sites.en.home.cover.photograph.src) }
}

/** Pages are made of code and content; what the pages say of the content is in `sites`. */
async function hash(code: string, content: unknown): Promise<string> {
  const values = JSON.stringify(content, (_, value) => (value instanceof Map ? [...value] : value))
  return createHash('sha256')
    .update(await readFile(code))
    .update(values)
    .digest('hex')
}

/** What to open and what to try, for whoever started the server. */
function notes(origin: string, service: string, src: string): string {
  const image = origin + loadImage({ src, width: 640 })
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
