/**
 * The widths in pixels that may be asked for unless the site says otherwise: the image sizes and device sizes of
 * Next.js, so that `next/image` works as it is, and the 16 that Next.js had before version 16.
 */
export const defaultWidths: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840,
]

/**
 * The widths, ascending and each once.
 *
 * @throws TypeError when there is none, or one is no whole number from 1 on.
 */
export function sortWidths(widths: readonly number[]): readonly number[] {
  const wrong = widths.find((width) => !Number.isSafeInteger(width) || width < 1)
  if (widths.length === 0 || wrong !== undefined) {
    throw new TypeError(`widths: ${wrong ?? 'an empty list'} is no use; write whole pixels, such as [640, 1080, 1920]`)
  }
  return [...new Set(widths)].sort((a, b) => a - b)
}
