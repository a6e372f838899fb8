import type { ComponentType } from 'react'
import type { Photograph } from '../content/photographs.ts'

/** What a page tells about a picture. Each server binds it to a component of its own: `Image`, or `next/image`. */
export interface PictureProps {
  src: string
  alt: string
  /** Greatest width at which it is shown, in CSS pixels, and the height at that width. */
  width: number
  height: number
  sizes: string
  /** Width of the original in pixels. */
  originalWidth: number
  /** The first picture of a page. */
  priority?: boolean
}

export type PictureComponent = ComponentType<PictureProps>

/** A picture's own attributes, for a place that is at most `width` wide: never wider than the original bears. */
export function pictureIn(photograph: Photograph, width: number) {
  const shown = Math.min(width, photograph.width)
  return {
    src: photograph.src,
    alt: photograph.alt,
    width: shown,
    height: Math.round((shown * photograph.height) / photograph.width),
    originalWidth: photograph.width,
  }
}

/** Width by height. */
export function aspectRatio({ width, height }: Photograph): number {
  return width / height
}

export function isPortrait(photograph: Photograph): boolean {
  return aspectRatio(photograph) < 1
}
