// Placeholders in Chromium: the error against the photograph blurred by 40 pixels at a width of 640, the root of the mean square distance in
// Oklab in hundredths, and bytes of an image in a page of twenty, compressed. Beside ThumbHash, and one solid color.
//
// Usage: npm run bench -- placeholders, for the photographs of the example. For others, PHOTOGRAPHS=folder,folder names their folders, such
// as /usr/share/backgrounds with Debian's packages lomiri-wallpapers-16.04 and mate-backgrounds.
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { converter } from 'culori'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'
import { rgbaToThumbHash, thumbHashToDataURL } from 'thumbhash'

const media = fileURLToPath(new URL('../examples/site/media', import.meta.url))
const stylesheet = await readFile(new URL('../dist/placeholder.css', import.meta.url))
const width = 640
const blur = 40

export async function benchPlaceholders() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  })
  const shoot = await startPage(browser)
  for (const folder of [media, ...(process.env.PHOTOGRAPHS?.split(',') ?? [])]) {
    const images = createImages({ sources: { '/media/': folder }, service: sharpService() })
    const names = (await readdir(folder)).filter((name) => /^\.(?:jpe?g|png|webp)$/.test(extname(name)))
    const rows = []
    for (const name of names) rows.push(await measure(images, folder, name, shoot))
    const count = `${rows.length} photographs in ${folder === media ? 'the example' : folder}`
    console.log(`Placeholders: ${count}; the stylesheet takes ${gzipSync(stylesheet).length} bytes`)
    for (const kind of ['placeholder', 'thumbHash', 'color']) {
      const errors = rows.map((row) => row[kind].error)
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      const bytes = bytesPerImage(rows.map((row) => row[kind].markup))
      console.log(
        `  ${kind.padEnd(12)} error ${mean.toFixed(2)}, at most ${Math.max(...errors).toFixed(1)}; ${bytes.toFixed(1)} bytes`,
      )
    }
  }
  await shoot.close()
  await browser.close()
}

async function measure(images, folder, name, shoot) {
  const { data, info } = await sharp(join(folder, name))
    .autoOrient()
    .flatten()
    .toColourspace('srgb')
    .resize(width)
    .png()
    .toBuffer({ resolveWithObject: true })
  const { height } = info
  const reference = await readOklab(await blurred(data, height))
  const thumb = await sharp(data)
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const hash = rgbaToThumbHash(thumb.info.width, thumb.info.height, thumb.data)
  const { placeholder = '', color } = await images.describe(`/media/${encodeURIComponent(name)}`)
  const size = `width="${width}" height="${height}"`
  const compare = async (image, markup) => ({
    markup,
    error: distance(await readOklab(await shoot(image, height)), reference),
  })
  return {
    placeholder: await compare(
      `<img ${size} src="${transparent}" data-lq="${placeholder}">`,
      `data-lq="${placeholder}" `,
    ),
    thumbHash: await compare(
      `<img ${size} src="${thumbHashToDataURL(hash)}">`,
      `data-thumbhash="${Buffer.from(hash).toString('base64')}" `,
    ),
    color: await compare(
      `<div style="background:${color};width:640px;height:${height}px"></div>`,
      `data-color="${color}" `,
    ),
  }
}

async function blurred(image, height) {
  const pad = 3 * blur
  const edges = { top: pad, bottom: pad, left: pad, right: pad, extendWith: 'copy' }
  const padded = await sharp(await sharp(image).extend(edges).png().toBuffer())
    .blur(blur)
    .png()
    .toBuffer()
  return await sharp(padded).extract({ left: pad, top: pad, width, height }).png().toBuffer()
}

// Shows its background, as an image that is being loaded does. Without a file, browsers draw a border.
const transparent = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const toOklab = converter('oklab')

async function readOklab(image) {
  const pixels = await sharp(image).removeAlpha().resize(160, 120, { fit: 'fill' }).raw().toBuffer()
  return Array.from({ length: pixels.length / 3 }, (_, index) => {
    const [r, g, b] = pixels.subarray(3 * index, 3 * index + 3)
    return toOklab({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 })
  })
}

function distance(one, other) {
  const sum = one.reduce((sum, { l, a, b }, index) => {
    const expected = other[index]
    return sum + (l - expected.l) ** 2 + (a - expected.a) ** 2 + (b - expected.b) ** 2
  }, 0)
  return 100 * Math.sqrt(sum / one.length)
}

/** What an attribute adds to each image in pages of twenty. */
function bytesPerImage(attributes) {
  const page = (given) =>
    gzipSync(
      given
        .map((attribute, index) => {
          const url = `/_image/${Buffer.from(`/media/photograph-${index * 7919}.jpg`).toString('base64url')}?width=`
          const srcset = [384, 640, 750, 828, 1080].map((each) => `${url}${each} ${each}w`).join(', ')
          return `<li><img alt="Photograph ${index}" decoding="async" loading="lazy" ${attribute}width="640" height="480" sizes="auto, 100vw" srcset="${srcset}" src="${url}640"></li>`
        })
        .join(''),
    ).length
  const twenty = Array.from({ length: 20 }, (_, index) => attributes[index % attributes.length])
  const distinct = twenty.slice(0, attributes.length)
  return (page(distinct) - page(distinct.map(() => ''))) / distinct.length
}

async function startPage(browser) {
  let html = ''
  const server = createServer(({ url }, response) => {
    if (url !== '/placeholder.css') return response.setHeader('Content-Type', 'text/html').end(html)
    response.setHeader('Content-Type', 'text/css').end(stylesheet)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage({ viewport: { width, height: 2_000 } })
  const shoot = async (image, height) => {
    html = `<!doctype html><link rel="stylesheet" href="/placeholder.css"><style>body{margin:0}img{display:block}</style>${image}`
    await page.goto(`http://127.0.0.1:${server.address().port}`, { waitUntil: 'load' })
    return await page.screenshot({ clip: { x: 0, y: 0, width, height } })
  }
  return Object.assign(shoot, { close: () => server.close() })
}
