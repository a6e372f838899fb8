import type { ComponentType } from 'react'
import type { FocusPoint } from 'sitewright/image'
import type { PictureSource } from 'sitewright/react/image'
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
  /** Whether this is the first image of the page. */
  priority?: boolean
  /** Painted until the image has loaded. */
  placeholder?: string | undefined
  /** The shape of a crop, and the point that it keeps in view. */
  ratio?: string
  focus?: FocusPoint
  /** Other crops for some viewports. */
  sources?: readonly PictureSource[]
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
    placeholder: photograph.placeholder,
    focus: photograph.focus,
  }
}

/**
 * Returns the image props of a photograph that is rendered at most `width` wide, of its larger file if there is one.
 */
export function largeImageProps(photograph: Photograph, width: number) {
  const { src, width: largeWidth } = photograph.larger ?? photograph
  return { ...imageProps(photograph, width), src, originalWidth: largeWidth }
}

/** Returns the image props of a square crop of a photograph. */
export function squareProps(photograph: Photograph, width: number) {
  return { ...imageProps(photograph, width), width, height: width, ratio: '1:1' }
}

/** Width divided by height. */
export function aspectRatio({ width, height }: Photograph): number {
  return width / height
}

export function isPortrait(photograph: Photograph): boolean {
  return aspectRatio(photograph) < 1
}
