// First visits at equal quality: a server that compresses more is faster and its images are smaller, but they look worse.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { record } from './figures.js'
import { createSsim } from './ssim.js'
import { fetchImage } from './start.js'

// Both `next/image` and the image proxy allow it, and no other part of this comparison asks for it.
const width = 750

/**
 * Requests every photo once from the first server, at its default quality. From the others it requests the lowest of
 * their qualities whose image is at least as similar to the resized original, by SSIM of the luma. Prints quality, time
 * and bytes there: each image is requested for the first time, also while the quality is looked for.
 *
 * @param {{ name: string, url: (photo: string, width: number, format: string, quality?: number) => string, qualities?: number[] }[]} servers
 */
export async function benchFirstVisits(servers, folder, photos, format) {
  const [ours, ...others] = servers
  const totals = servers.map(() => ({ milliseconds: 0, bytes: 0, missed: 0 }))
  // The first request also starts processes.
  for (const { url } of servers) await visit(url(photos[0], 256, format), format)
  console.log(`\n${photos.length} images of ${width} pixels for the first time, ${format}, at equal quality`)
  for (const photo of photos) {
    process.stderr.write(`  ${photo} `)
    const original = await sharp(await readFile(`${folder}/${photo}`))
      .autoOrient()
      .resize(width)
      // Without loss: by default it would be a JPEG of quality 80, and who reproduces its blocks would look best.
      .png()
      .toBuffer()
    const ssim = await createSsim(original)
    const first = await visit(ours.url(photo, width, format), format)
    const target = await ssim(first.body)
    const found = [{ ...first, ssim: target }]
    for (const { url, qualities } of others) {
      const request = async (quality) => {
        const image = await visit(url(photo, width, format, quality), format)
        return { ...image, quality, ssim: await ssim(image.body) }
      }
      found.push(await findLowest(qualities, request, target))
    }
    process.stderr.write('\r\x1b[K')
    console.log(`  ${photo}`)
    for (const [index, image] of found.entries()) {
      totals[index].milliseconds += image.milliseconds
      totals[index].bytes += image.body.length
      if (image.ssim < target) totals[index].missed++
      const quality = image.quality === undefined ? 'default' : `q ${image.quality}`
      print(servers[index].name, image.milliseconds, image.body.length, `SSIM ${image.ssim.toFixed(4)}  ${quality}`)
    }
  }
  console.log('  all of them')
  for (const [index, { milliseconds, bytes, missed }] of totals.entries()) {
    const ratio = `${(milliseconds / totals[0].milliseconds).toFixed(2)} x time, ${(bytes / totals[0].bytes).toFixed(2)} x bytes`
    print(servers[index].name, milliseconds, bytes, missed > 0 ? `${ratio}, ${missed} below that SSIM` : ratio)
  }
  const title = `First requests, ${format === 'image/avif' ? 'AVIF' : 'WebP'}`
  const byName = (value) => Object.fromEntries(servers.map(({ name }, index) => [name, value(totals[index])]))
  record(
    title,
    'ms',
    byName(({ milliseconds }) => milliseconds),
  )
  record(
    `${title}, size`,
    'KB',
    byName(({ bytes }) => bytes / 1000),
  )
}

/** Returns the image of the lowest quality that reaches an SSIM, or else the best one. */
async function findLowest(qualities, request, target) {
  let [low, high] = [0, qualities.length - 1]
  let best
  while (low <= high) {
    const middle = (low + high) >> 1
    const image = await request(qualities[middle])
    const reaches = image.ssim >= target
    if (reaches || !best || best.ssim < target) best = image
    if (reaches) high = middle - 1
    else low = middle + 1
  }
  return best
}

async function visit(url, format) {
  const start = performance.now()
  const { body } = await fetchImage(url, format)
  return { body, milliseconds: performance.now() - start }
}

function print(name, milliseconds, bytes, rest) {
  const kilobytes = (bytes / 1000).toFixed(1)
  console.log(`    ${name.padEnd(42)} ${milliseconds.toFixed(0).padStart(7)} ms  ${kilobytes.padStart(7)} KB  ${rest}`)
}
