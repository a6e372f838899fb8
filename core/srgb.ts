/** How the colors of a picture are coded, by code points of ITU-T H.273. */
export interface ColorCoding {
  primaries: number
  transfer: number
}

const pq = 16
const hlg = 18

// From the linear primaries to those of sRGB, row by row. All three have the white point D65.
const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const matrices: Readonly<Record<number, readonly number[]>> = {
  9: [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187], // ITU-R BT.2020
  12: [1.2249, -0.2249, 0, -0.0421, 1.0421, 0, -0.0196, -0.0786, 1.0983], // Display P3
}

// From a coded component, 0 to 1, to light, in which 1 is white. For PQ and HLG, 1 is the white of text and paper at 203
// nits (ITU-R BT.2408).
const whiteNits = 203
const hlgNits = 1_000
const transfers: Readonly<Record<number, (value: number) => number>> = {
  4: (value) => value ** 2.2,
  5: (value) => value ** 2.8,
  8: (value) => value,
  [pq]: readPq,
  [hlg]: readHlg,
}

/** The transfer function of PQ (SMPTE ST 2084). */
function readPq(value: number): number {
  const power = value ** (32 / 2_523)
  const ratio = Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
  return (10_000 * ratio ** (16_384 / 2_610)) / whiteNits
}

/** The inverse of HLG's transfer function (ITU-R BT.2100, table 5): the light of the scene, at most 1. */
function readHlg(value: number): number {
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
}

/** The transfer functions of sRGB (IEC 61966-2-1). */
const readSrgb = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const writeSrgb = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

// The reference white tone mapping of SMPTE ST 2094-50, for a screen without headroom: half the light, and from white
// on a quadratic Bézier curve to the brightest light that a picture should have.
const peak = hlgNits / whiteNits
function toneMap(light: number): number {
  if (light <= 1) return light / 2
  if (light >= peak) return 1
  const t = (Math.sqrt(0.65 ** 2 + (peak - 2.3) * (light - 1)) - 0.65) / (peak - 2.3)
  return (1 - t) ** 2 / 2 + 2 * t * (1 - t) * 0.825 + t ** 2
}

/**
 * Converts pixels to sRGB, in place. Colors that sRGB does not have are clipped, and PQ and HLG are toned down, as
 * Chromium shows them on a screen without HDR. Other primaries and transfer functions than BT.2020, Display P3, PQ, HLG,
 * linear light and gammas of 2.2 and 2.8 count as those of sRGB, as in Chromium.
 *
 * @param pixels Red, green, blue and alpha of each pixel, 0 to 255.
 * @example convertToSrgb(pixels, { primaries: 12, transfer: 13 }) // from Display P3
 */
export function convertToSrgb(pixels: Uint8Array, { primaries, transfer }: ColorCoding): void {
  const read = transfers[transfer] ?? readSrgb
  const light = Float64Array.from({ length: 256 }, (_, value) => read(value / 255))
  const coded = Uint8Array.from({ length: 65_536 }, (_, value) => Math.round(255 * writeSrgb(value / 65_535)))
  const write = (value: number) => coded[Math.round(65_535 * Math.min(1, Math.max(0, value)))] ?? 0
  const [rr = 1, rg = 0, rb = 0, gr = 0, gg = 1, gb = 0, br = 0, bg = 0, bb = 1] = matrices[primaries] ?? identity
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue] = [
      light[pixels[at] ?? 0] ?? 0,
      light[pixels[at + 1] ?? 0] ?? 0,
      light[pixels[at + 2] ?? 0] ?? 0,
    ]
    const gain = gainOf(transfer, red, green, blue)
    pixels[at] = write(gain * (rr * red + rg * green + rb * blue))
    pixels[at + 1] = write(gain * (gr * red + gg * green + gb * blue))
    pixels[at + 2] = write(gain * (br * red + bg * green + bb * blue))
  }
}

/** Returns the factor that tones a pixel of PQ or HLG down, by its brightest component. */
function gainOf(transfer: number, red: number, green: number, blue: number): number {
  if (transfer !== pq && transfer !== hlg) return 1
  // HLG codes the light of the scene. A screen of 1,000 nits raises its contrast (ITU-R BT.2100, table 5).
  const luminance = 0.2627 * red + 0.678 * green + 0.0593 * blue
  const screen = transfer === hlg ? peak * luminance ** 0.2 : 1
  const brightest = screen * Math.max(red, green, blue)
  return brightest > 0 ? (screen * toneMap(brightest)) / brightest : 0
}
