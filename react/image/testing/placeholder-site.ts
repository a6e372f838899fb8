import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { converter } from 'culori'
import sharp from 'sharp'
import { encodePlaceholder, sampleBlur, sampleSize } from '../../../core/image/describe/encode.js'
import { placeholderStylesheet } from '../../../core/image/describe/stylesheet.js'
import { listen } from '../../../test/adapter/listen.js'

const photographs = new URL('../../../examples/site/media/', import.meta.url)
export const names = ['black-canyon', 'nagasaki-boats', 'airplane-from-above'] as const
export type Name = (typeof names)[number]
/** Size of each image on the page, in CSS pixels. */
export const size = { width: 320, height: 200 }

interface Photograph {
  placeholder: string
  png: Buffer
  /** The photograph blurred by 40 pixels at a width of 640. */
  blurred: Buffer
}

async function read(name: Name): Promise<Photograph> {
  const original = await readFile(new URL(`${name}.jpg`, photographs))
  const scale = (width: number, height: number) => sharp(original).resize(width, height, { fit: 'fill' })
  const sample = await scale(sampleSize, sampleSize).removeAlpha().blur(sampleBlur).raw().toBuffer()
  const padding = 80
  const edges = { top: padding, bottom: padding, left: padding, right: padding, extendWith: 'copy' } as const
  const padded = await scale(size.width, size.height).extend(edges).png().toBuffer()
  const blurred = sharp(await sharp(padded).blur(20).png().toBuffer())
  return {
    placeholder: encodePlaceholder(sample),
    png: await scale(size.width, size.height).png().toBuffer(),
    blurred: await blurred
      .extract({ left: padding, top: padding, ...size })
      .png()
      .toBuffer(),
  }
}

async function readPhotographs(): Promise<Record<Name, Photograph>> {
  const entries = await Promise.all(names.map(async (name) => [name, await read(name)] as const))
  return Object.fromEntries(entries) as Record<Name, Photograph>
}

const siteStyles = `body{margin:0;background:#f0f}img{display:block;width:${size.width}px;height:${size.height}px}
.object-contain,.bars{object-fit:contain}.bars{background:none}`

// This image shows its background, like an image that is being loaded. A broken image would show an icon.
const transparent = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A page with one image. The file arrives immediately, slowly, or never (`/hangs`), or does not exist. */
export const pageOf = (image: string) =>
  `<!doctype html><title>Test</title><link rel="stylesheet" href="/site.css"><link rel="stylesheet" href="/placeholder.css">${image}`

/** Serves pages and files under a strict policy. `/hangs` never gets a response. */
function createSite(photos: Record<Name, Photograph>) {
  const pages: Record<string, string> = {}
  const respond = async ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const [, name, slowly] = /^\/([\w-]+)\.png(\?slowly)?$/.exec(url) ?? []
    response.setHeader('Content-Security-Policy', "default-src 'self'")
    if (url === '/hangs') return
    if (url === '/transparent.gif') return void response.setHeader('Content-Type', 'image/gif').end(transparent)
    if (url.endsWith('.css')) response.setHeader('Content-Type', 'text/css')
    if (url === '/site.css') return void response.end(siteStyles)
    if (url === '/placeholder.css') return void response.end(placeholderStylesheet())
    const photo = photos[name as Name]
    if (photo) {
      response.setHeader('Content-Type', 'image/png')
      if (!slowly) return void response.end(photo.png)
      const pieces = Array.from({ length: 8 }, (_, index) => photo.png.subarray(index * 8_000, index * 8_000 + 8_000))
      for (const piece of [...pieces, photo.png.subarray(64_000)]) {
        response.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      return void response.end()
    }
    const page = pages[url]
    response.writeHead(page === undefined ? 404 : 200, { 'Content-Type': 'text/html' }).end(page)
  }
  return { pages, respond }
}

const attributes = `width="${size.width}" height="${size.height}" alt=""`

/** An image without a placeholder. */
export const plainImage = (src: string, furtherAttributes = '') =>
  `<img src="${src}" ${attributes} ${furtherAttributes}>`

/** Starts a server with the photographs. The test must close it. */
export async function startPlaceholderSite() {
  const photos = await readPhotographs()
  const { pages, respond } = createSite(photos)
  const server = await listen((req, res) => void respond(req, res))
  return {
    ...server,
    photos,
    /** The pages by their paths. {@link pageOf} returns a page. */
    pages,
    /** An image with the placeholder of a photograph. */
    imageOf: (src: string, name: Name, furtherAttributes = '') =>
      plainImage(src, `data-lq="${photos[name].placeholder}" ${furtherAttributes}`),
  }
}

const toOklab = converter('oklab')

/** Returns the error of an image in Oklab, in hundredths: the root mean square distance. */
export async function oklabError(actual: Buffer, expected: Buffer): Promise<number> {
  const [actualColors, expectedColors] = await Promise.all([actual, expected].map(readColors))
  const squares = (actualColors ?? []).map(({ l, a, b }, index) => {
    const { l: l2, a: a2, b: b2 } = expectedColors?.[index] ?? { l: 9, a: 9, b: 9 }
    return (l - l2) ** 2 + (a - a2) ** 2 + (b - b2) ** 2
  })
  return 100 * Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}

async function readColors(image: Buffer) {
  const pixels = await sharp(image).removeAlpha().resize(80, 50, { fit: 'fill' }).raw().toBuffer()
  return Array.from({ length: pixels.length / 3 }, (_, index) => {
    const [r = 0, g = 0, b = 0] = pixels.subarray(3 * index, 3 * index + 3)
    return toOklab({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 })
  })
}

/** Whether a screenshot shows the background of the page, a color that no photograph has. */
export async function showsPage(image: Buffer): Promise<boolean> {
  const pixels = await sharp(image).removeAlpha().raw().toBuffer()
  for (let index = 0; index < pixels.length; index += 3) {
    if (pixels[index] === 255 && pixels[index + 1] === 0 && pixels[index + 2] === 255) return true
  }
  return false
}
