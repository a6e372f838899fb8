import sharp from 'sharp'

interface Size {
  width: number
  height: number
}

/** A known answer: the rectangle that imgproxy cuts out of the scaled image. */
export interface KnownCrop {
  original: Size
  box: Size
  focus: { x: number; y: number }
  scaled: Size
  crop: Size & { left: number; top: number }
}

const size = (text: string): Size => {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

/**
 * Worked out from imgproxy's source: calcScale and calcSizes of processing/prepare.go, calcPosition of
 * processing/calc_position.go. `fill-down` of 200 x 100 into 300 x 300, 300 x 125 and 250 x 300 has the sizes of
 * imgproxy's own processing_test.go.
 */
export const knownCrops: readonly KnownCrop[] = (
  [
    // original, box, focus, scaled, crop, its corner
    ['240x160', '160x90', [0.3, 0.7], '160x107', '160x90', [0, 17]],
    ['240x160', '160x90', [0, 0], '160x107', '160x90', [0, 0]],
    ['240x160', '160x90', [1, 1], '160x107', '160x90', [0, 17]],
    ['240x160', '90x160', [0.3, 0.7], '240x160', '90x160', [27, 0]],
    ['240x160', '120x120', [0.5, 0.5], '180x120', '120x120', [30, 0]],
    ['240x160', '48x48', [0.1, 1], '72x48', '48x48', [0, 0]],
    ['240x160', '240x160', [0.3, 0.7], '240x160', '240x160', [0, 0]],
    ['160x240', '120x120', [0.5, 0.1], '120x180', '120x120', [0, 0]],
    ['160x240', '120x68', [0.5, 0.9], '120x180', '120x68', [0, 112]],
    ['160x240', '120x68', [0.2, 0.4], '120x180', '120x68', [0, 38]],
    ['199x133', '64x36', [0.7, 0.2], '64x43', '64x36', [0, 0]],
    ['101x50', '32x32', [0.5, 0.5], '65x32', '32x32', [16, 0]],
    // smaller than the box: not enlarged, with the ratio of the box
    ['200x100', '300x300', [0.3, 0.7], '200x100', '100x100', [10, 0]],
    ['200x100', '300x125', [0.5, 0.2], '200x100', '200x83', [0, 0]],
    ['200x100', '250x300', [0.9, 0.5], '200x100', '83x100', [117, 0]],
    ['60x240', '640x360', [0.5, 0.3], '60x240', '60x34', [0, 55]],
    ['255x255', '640x1138', [0.4, 0.5], '255x255', '143x255', [31, 0]],
    ['1x1', '640x360', [0.5, 0.5], '1x1', '1x1', [0, 0]],
    // photographs
    ['4000x3000', '1920x1080', [0.2, 0.8], '1920x1440', '1920x1080', [0, 360]],
    ['6000x4000', '640x640', [0.8, 0.5], '960x640', '640x640', [320, 0]],
    ['3024x4032', '828x1472', [0.6, 0.4], '1104x1472', '828x1472', [248, 0]],
  ] as const
).map(([original, box, [x, y], scaled, crop, [left, top]]) => ({
  original: size(original),
  box: size(box),
  focus: { x, y },
  scaled: size(scaled),
  crop: { ...size(crop), left, top },
}))

/** Creates a PNG whose red rises from the left edge to the right one, and whose green from top to bottom. */
export const gradient = ({ width, height }: Size) => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels[(y * width + x) * 3] = Math.round(((x + 0.5) / width) * 255)
      pixels[(y * width + x) * 3 + 1] = Math.round(((y + 0.5) / height) * 255)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/**
 * Reads from the pixels which part of a {@link gradient} an image shows: the middle of it, in pixels of the scaled
 * gradient.
 */
export const shownPart = async (image: Uint8Array, scaled: Size) => {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const mean = (channel: number) => {
    let sum = 0
    for (let index = channel; index < data.length; index += info.channels) sum += data[index] as number
    return sum / (width * height) / 255
  }
  return {
    width,
    height,
    left: mean(0) * scaled.width - width / 2,
    top: mean(1) * scaled.height - height / 2,
  }
}
