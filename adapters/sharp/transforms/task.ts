import type { CardText, OutputFormat, Point } from '../../../core/image/internal.js'
import type { ModernFormat, QualityByFormat } from './encoders.js'
import type { ImageType } from './image-type.js'

/** The size of an image. An image is never enlarged. */
export interface ImageBox {
  /** In pixels; 0 for no limit. */
  width: number
  height: number
  /**
   * The part of the original that a crop keeps: `attention` picks the most interesting part, a point is kept in the middle. The crop has
   * the ratio of the box, also if the original is smaller. `undefined`: the whole image is kept, inside the box.
   */
  gravity: 'attention' | Point | undefined
}

/** The font of the titles. */
export interface CardFont {
  /** The family, as the font itself is named. Letters that it lacks are drawn in another font of the system. */
  family: string
  /** A TTF or OTF file, the formats that FreeType reads. Default: a font of the system. */
  file?: string | undefined
  /** From 1 to 1,000. Default 700. */
  weight?: number | undefined
}

/** How social cards look. */
export interface CardLook {
  font?: CardFont | undefined
  /** As `#rrggbb`. The shade darkens the photograph behind the text. Default: white text, black shade. */
  colors?: { text?: string | undefined; shade?: string | undefined } | undefined
  /** A PNG with the site's mark, at least 56 pixels high. Default: none. */
  mark?: string | undefined
}

/** One image to render. Everything in it can be sent to another process. */
export interface RenderTask {
  original: Uint8Array
  box: ImageBox
  accepted: readonly ModernFormat[]
  /** Whether the original is described instead. Default false. */
  isDescription?: boolean
  /** The text, if the image is a social card. Its style identifies the look. */
  card?: (CardText & { style: string }) | undefined
  /** How social cards look. */
  look?: CardLook | undefined
  quality: QualityByFormat | undefined
  /** Maximum number of pixels of an original, counting all frames. */
  maxPixels: number
  /** Images with more pixels become WebP where AVIF would otherwise be chosen. */
  maxAvifPixels: number
  /** Whether copyright, creator and credit of the original are kept. Default false. */
  keepCopyright?: boolean
  /** Whether an SVG is passed through. */
  svg: boolean
  /** Whether to take more time for fewer bytes. Default false. */
  isRefined?: boolean
}

/** The properties that tell an image from others of the same original. */
export type ImageVariant = Pick<RenderTask, 'box' | 'accepted' | 'isDescription' | 'card'>

/** A rendered image, an original that was passed through, or a description as JSON. */
export interface RenderedImage {
  format: ImageType | OutputFormat | 'json'
  body: Uint8Array<ArrayBuffer>
}

/** Renders an image, here or in another process. The signal ends the other process. */
export type RunTask = (task: RenderTask, signal?: AbortSignal) => Promise<RenderedImage>
