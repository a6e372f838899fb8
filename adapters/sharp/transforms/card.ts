import sharp, { type CreateText, type OverlayOptions, type Sharp } from 'sharp'
import { cardSize as size } from '../../../core/crop.js'
import type { CardText } from '../../../core/image/internal.js'
import { escapeXml } from '../../../core/xml.js'
import type { CardLook } from './task.js'
import { runPipeline } from './transform.js'

// All in pixels.
const panelWidth = size.width / 2
const margin = 64
const markBox = { width: 320, height: 72, fit: 'inside', withoutEnlargement: true } as const
const markGap = 32
const titleSizes = { bottom: [76, 64, 54, 46], center: [76, 64, 54, 46], side: [60, 52, 44, 38] }
const maxTitleHeight = { bottom: 300, center: 340, side: 400 }

/** Returns the area of a card that the photograph covers. */
export function areaOf({ layout }: CardText) {
  return layout === 'side' ? { width: size.width - panelWidth, height: size.height } : size
}

/**
 * Draws a social card: a photograph, a shade, and on it the mark and the title. Pango shapes and orders the letters of
 * every script.
 *
 * @param photo A pipeline for a photograph with the ratio of the area that it covers. It is enlarged to that area.
 */
export async function drawCard(photo: Sharp, card: CardText, look: CardLook = {}, timeout = 0): Promise<Sharp> {
  const { layout, title } = card
  const shade = look.colors?.shade ?? '#000000'
  const mark = look.mark ? [await toLayer(sharp(look.mark).resize(markBox).ensureAlpha())] : []
  const layers = [...mark, ...(await fitTitle(card, look))]
  const height = layers.reduce((sum, layer) => sum + layer.height + markGap, -markGap)
  const top = layout === 'bottom' ? size.height - margin - height : Math.round((size.height - height) / 2)
  const isRtl = /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u.test(title)
  const place = (layer: Layer, index: number) => {
    const start = layout === 'center' ? Math.round((size.width - layer.width) / 2) : margin
    const left = isRtl ? size.width - start - layer.width : start
    return { ...layer, left, top: index === 0 ? top : top + height - layer.height }
  }
  const { body, ...raw } = await runPipeline(photo.flatten({ background: shade }).raw({ depth: 'uchar' }), timeout)
  const panel = size.width - areaOf(card).width
  return sharp(body, { raw: { ...raw, channels: 3 } })
    .resize({ ...areaOf(card), fit: 'fill' })
    .extend({ left: isRtl ? 0 : panel, right: isRtl ? panel : 0, background: shade })
    .composite([...shadeOf(layout, shade, top), ...layers.map(place)])
}

type Layer = OverlayOptions & { width: number; height: number }

async function toLayer(pipeline: Sharp): Promise<Layer> {
  // Its failure is not one of the original, as that of `runPipeline` would be.
  const { data, info } = await pipeline.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 }, ...info }
}

/**
 * Returns the layer that darkens the photograph, so that white text has a contrast of 6 or more on any photograph:
 * evenly in the center, or from above the text to the bottom. It is one pixel wide, and repeated.
 */
function shadeOf(layout: CardText['layout'], color: string, top: number): OverlayOptions[] {
  if (layout === 'side') return []
  const column = Array.from({ length: size.height }, (_, y) => {
    const reach = layout === 'center' ? 1 : Math.min(1, Math.max(0, (y - top + 200) / 180))
    const opacity = Math.round(168 * reach ** 2 * (3 - 2 * reach)) // of 255, without a visible edge
    return color.slice(1) + opacity.toString(16).padStart(2, '0')
  })
  const raw = { width: 1, height: size.height, channels: 4 } as const
  return [{ input: Buffer.from(column.join(''), 'hex'), raw, tile: true }]
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Draws a title in the largest size that fits. A longer title is cut after a word, and ends in an ellipsis.
 *
 * @returns No layer for a title in which nothing is visible.
 */
async function fitTitle(card: CardText, look: CardLook): Promise<Layer[]> {
  if (!/[^\s\p{C}]/u.test(card.title)) return []
  // Marks the ends of words in scripts without spaces, because Pango would break their lines anywhere.
  const title = card.title.replace(/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu, (run) =>
    Array.from(words.segment(run), ({ segment }) => segment).join('\u200b'),
  )
  const width = size.width - 2 * margin - (card.layout === 'side' ? panelWidth : 0)
  const draw = async (text: string, fontSize: number, wrap: 'word' | 'word-char') => {
    const layer = await toLayer(sharp({ text: { ...textOf(text, fontSize, card, look), width, wrap } }))
    return layer.width <= width && layer.height <= maxTitleHeight[card.layout] ? [layer] : undefined
  }
  const sizes = titleSizes[card.layout]
  for (const fontSize of sizes) {
    const found = await draw(title, fontSize, 'word')
    if (found) return found
  }
  const smallest = sizes.at(-1) as number
  const ends = Array.from(words.segment(title), ({ index, segment }) => index + segment.length)
  let found = await draw(title, smallest, 'word-char')
  for (let [low, high] = [0, found ? 0 : ends.length]; low < high; ) {
    const middle = (low + high) >> 1
    const drawn = await draw(`${title.slice(0, ends[middle]).trimEnd()}…`, smallest, 'word-char')
    if (drawn) [found, low] = [drawn, middle + 1]
    else high = middle
  }
  return found ?? []
}

/** Returns a text as Pango's markup (https://docs.gtk.org/Pango/pango_markup.html), with its font. */
function textOf(text: string, fontSize: number, { language = '', layout }: CardText, look: CardLook): CreateText {
  const { family = 'sans-serif', file, weight = 700 } = look.font ?? {}
  const lang = language && ` lang="${escapeXml(language)}"`
  const markup = `<span foreground="${look.colors?.text ?? '#ffffff'}" weight="${weight}"${lang}>${escapeXml(text)}</span>`
  // Pango takes the other side for text from right to left.
  const align = layout === 'center' ? 'centre' : 'left'
  // With a comma, Pango does not take the end of a name such as Newsreader SemiBold for a weight.
  return { text: markup, font: `${family}, ${fontSize}`, ...(file && { fontfile: file }), align, rgba: true, dpi: 72 }
}
