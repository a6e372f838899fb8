import sharp from 'sharp'

interface Size {
  width: number
  height: number
}

/**
 * Crops like imgproxy, after the names of its functions, so that it can be read beside them: calcScale and calcSizes in
 * processing/prepare.go, cropImage in processing/crop.go, calcPosition in processing/calc_position.go.
 *
 * @param options Processing options, such as `['rs:fill-down:640:360', 'g:fp:0.3:0.7']`. `g:sm` is the center here.
 */
export async function cropLikeImgproxy(original: Buffer, options: readonly string[]): Promise<Buffer> {
  const [, type, ...box] = options.find((option) => option.startsWith('rs:'))?.split(':') ?? []
  const [, gravity, x, y] = options.find((option) => option.startsWith('g:'))?.split(':') ?? []
  const po = { width: Number(box[0]), height: Number(box[1]) }
  const { autoOrient: src } = await sharp(original).metadata()
  const scale = calcScale(src, po)
  const scaled = { width: round(src.width * scale), height: round(src.height * scale) }
  const result = type === 'fill-down' ? calcFillDown(scaled, po) : po
  const crop = { width: Math.min(result.width, scaled.width), height: Math.min(result.height, scaled.height) }
  const point = gravity === 'fp' ? { x: Number(x), y: Number(y) } : { x: 0.5, y: 0.5 }
  return await sharp(original, { autoOrient: true })
    .resize({ ...scaled, fit: 'fill' })
    .extract({ ...crop, ...calcPosition(scaled, crop, point) })
    .png()
    .toBuffer()
}

function calcScale(src: Size, dst: Size): number {
  let shrink = Math.min(src.width / dst.width, src.height / dst.height)
  if (shrink < 1) shrink = 1 // not po.Enlarge()
  return 1 / shrink
}

function calcFillDown(scaled: Size, target: Size): Size {
  const diffW = target.width / scaled.width
  const diffH = target.height / scaled.height
  if (diffW > diffH && diffW > 1) {
    return { width: scaled.width, height: round(scaled.width * (target.height / target.width)) }
  }
  if (diffH > diffW && diffH > 1) {
    return { width: round(scaled.height * (target.width / target.height)), height: scaled.height }
  }
  return target
}

function calcPosition(image: Size, inner: Size, gravity: { x: number; y: number }): { left: number; top: number } {
  const left = roundToEven(image.width * gravity.x) - Math.trunc(inner.width / 2)
  const top = roundToEven(image.height * gravity.y) - Math.trunc(inner.height / 2)
  return {
    left: Math.max(0, Math.min(left, image.width - inner.width)),
    top: Math.max(0, Math.min(top, image.height - inner.height)),
  }
}

// Go's math.Round and math.RoundToEven, of numbers that are not negative
const round = (value: number) => Math.floor(value + 0.5)
const roundToEven = (value: number) => (value % 2 === 0.5 ? value - 0.5 : round(value))
