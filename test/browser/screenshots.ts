import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'

// Fonts are the site's own, but how their edges are drawn differs by machine. So pictures are stored at half of their
// size, and compared at half of that, where an edge is a shade and a changed color, word or place is a changed area.
const scale = 2
// The share of an area that may differ.
const tolerance = 0.002
export interface Difference {
  /** Share of the picture that differs, from 0 to 1; 1 when the sizes do. */
  share: number
  /** PNG in which the differences are marked. */
  mark?: () => Promise<Buffer>
}

/** Returns the stored form of a picture of a page: smaller, as WebP. */
export async function storeScreenshot(picture: Buffer): Promise<Buffer> {
  const { pixels, ...raw } = await shrink(picture)
  return sharp(pixels, { raw: { ...raw, channels: 4 } })
    .webp({ nearLossless: true, quality: 40, effort: 6 })
    .toBuffer()
}

/** Compares a picture of a page with the stored picture. */
export async function compareScreenshots(actual: Buffer, stored: Buffer): Promise<Difference> {
  const expected = await shrink(stored)
  // Encoding takes a second, so it is skipped if the pixels match far within the tolerance without it.
  const { pixels, ...raw } = await shrink(actual)
  const plain = compare(await shrinkPixels(pixels, raw), expected)
  return plain.share <= tolerance / 10 ? plain : compare(await shrink(await storeScreenshot(actual)), expected)
}

function compare(a: Shrunk, b: Shrunk): Difference {
  // A line of text more or less is a change; a pixel is how a machine rounds.
  if (a.width !== b.width || Math.abs(a.height - b.height) > 2) return { share: 1 }
  const { width } = a
  const height = Math.min(a.height, b.height)
  const output = new Uint8Array(width * height * 4)
  const crop = ({ pixels }: Shrunk) => pixels.subarray(0, output.length)
  const differing = pixelmatch(crop(a), crop(b), output, width, height, { threshold: 0.1, includeAA: true })
  const mark = () =>
    sharp(output, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer()
  return { share: differing / (width * height), mark }
}

/**
 * Compares a picture with the stored one, and writes differences to test/screenshots. `npm run screenshots` stores
 * the pictures of this machine instead.
 *
 * @returns Why the pictures do not match; `undefined` if they match.
 */
export async function checkScreenshot(name: string, actual: Buffer): Promise<string | undefined> {
  const stored = new URL(`stored/${name}.webp`, import.meta.url)
  if (process.env.SCREENSHOTS === 'renew') {
    await mkdir(dirname(stored.pathname), { recursive: true })
    await writeFile(stored, await storeScreenshot(actual))
    return undefined
  }
  const expected = await readFile(stored).catch(() => undefined)
  const { share, mark }: Difference = expected ? await compareScreenshots(actual, expected) : { share: 1 }
  if (share <= tolerance) return undefined
  const folder = new URL('../screenshots/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(`${name}.actual.png`, folder), actual)
  if (mark) await writeFile(new URL(`${name}.difference.png`, folder), await mark())
  const reason = expected ? `${(share * 100).toFixed(2)} % differs` : 'no picture is stored'
  return `${name}: ${reason}; look at test/screenshots, and if it is as it should be: npm run screenshots`
}

interface Shrunk {
  pixels: Uint8Array
  width: number
  height: number
}

async function shrink(picture: Buffer): Promise<Shrunk> {
  // Decoded first: a WebP that is decoded smaller is another picture than a PNG that is made smaller.
  const whole = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return shrinkPixels(whole.data, whole.info)
}

async function shrinkPixels(whole: Uint8Array, { width, height }: { width: number; height: number }): Promise<Shrunk> {
  const { data, info } = await sharp(whole, { raw: { width, height, channels: 4 } })
    // A pixel more or less, as machines round, is cut off and not squeezed in.
    .extract({ left: 0, top: 0, width: width - (width % scale), height: height - (height % scale) })
    .resize({ width: Math.floor(width / scale), kernel: 'mitchell' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height }
}
