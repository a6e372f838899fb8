import type { ComponentType } from 'react'
import type { Photograph } from '../content/photographs.ts'

/** Props of an image. Each server implements them with its own component: `Image`, or `next/image`. */
export interface PictureProps {
  src: string
  alt: string
  /** Maximum rendered width in CSS pixels, and the height at that width. */
  width: number
  height: number
  sizes: string
  /** Width of the original in pixels. */
  originalWidth: number
  /** Whether it is the first image of the page. */
  priority?: boolean
}

export type PictureComponent = ComponentType<PictureProps>

/** Returns the image props of a photograph that is rendered at most `width` wide, but never wider than the original. */
export function imageProps(photograph: Photograph, width: number) {
  const renderedWidth = Math.min(width, photograph.width)
  return {
    src: photograph.src,
    alt: photograph.alt,
    width: renderedWidth,
    height: Math.round((renderedWidth * photograph.height) / photograph.width),
    originalWidth: photograph.width,
  }
}

/** Width divided by height. */
export function aspectRatio({ width, height }: Photograph): number {
  return width / height
}

export function isPortrait(photograph: Photograph): boolean {
  return aspectRatio(photograph) < 1
}
