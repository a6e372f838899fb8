import sharp from 'sharp'

// Z. Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004: K1 and K2, 8 bits.
const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2
const side = 8
const step = 4

/** Creates a function that returns the mean structural similarity (SSIM) of the luma of an image to a reference. */
export async function createSsim(reference) {
  const expected = await readLuma(reference)
  return async (image) => {
    const actual = await readLuma(image)
    if (actual.width !== expected.width || actual.height !== expected.height) {
      throw new Error(`SSIM: ${actual.width} x ${actual.height}, not ${expected.width} x ${expected.height}`)
    }
    return compare(expected, actual)
  }
}

async function readLuma(image) {
  const { data, info } = await sharp(image).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

function compare(a, b) {
  let sum = 0
  let windows = 0
  for (let top = 0; top + side <= a.height; top += step) {
    for (let left = 0; left + side <= a.width; left += step) {
      sum += compareWindow(a, b, top, left)
      windows++
    }
  }
  return sum / windows
}

function compareWindow(a, b, top, left) {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let y = top; y < top + side; y++) {
    for (let x = left; x < left + side; x++) {
      const valueA = a.data[(y * a.width + x) * a.channels]
      const valueB = b.data[(y * b.width + x) * b.channels]
      sumA += valueA
      sumB += valueB
      squaresA += valueA * valueA
      squaresB += valueB * valueB
      products += valueA * valueB
    }
  }
  const count = side * side
  const [meanA, meanB] = [sumA / count, sumB / count]
  const variances = squaresA / count - meanA ** 2 + squaresB / count - meanB ** 2
  const covariance = products / count - meanA * meanB
  return ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA ** 2 + meanB ** 2 + c1) * (variances + c2))
}
