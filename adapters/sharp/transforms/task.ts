import type { OutputFormat, Point } from '../../../core/image/internal.js'
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

/** One image to render. Everything in it can be sent to another process. */
export interface RenderTask {
  original: Uint8Array
  box: ImageBox
  accepted: readonly ModernFormat[]
  /** Whether the original is described instead. Default false. */
  isDescription?: boolean
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

/** A rendered image, an original that was passed through, or a description as JSON. */
export interface RenderedImage {
  format: ImageType | OutputFormat | 'json'
  body: Uint8Array<ArrayBuffer>
}

/** Renders an image, here or in another process. The signal ends the other process. */
export type RunTask = (task: RenderTask, signal?: AbortSignal) => Promise<RenderedImage>
