import type { ComponentType } from 'react'
import type { Photograph } from '../content/photographs.ts'

/** Props of a page's photographs. Each server has its own component for them: by `Image`, or by `next/image`. */
export interface PictureProps {
  src: string
  alt: string
  /** Maximum display width in CSS pixels, and the height at that width. */
  width: number
  height: number
  sizes: string
  /** Width of the original in pixels. */
  originalWidth: number
  /** For the first photograph of a page. */
  priority?: boolean
}

export type PictureComponent = ComponentType<PictureProps>

/** Returns the props of a photograph that is displayed at most `width` wide, and never wider than the original. */
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

/** Returns width divided by height. */
export function aspectRatio({ width, height }: Photograph): number {
  return width / height
}

export function isPortrait(photograph: Photograph): boolean {
  return aspectRatio(photograph) < 1
}
