import type * as React from 'react'
import type { ImageDelivery, MeasuredImage } from '../../../core/styleguide/index.js'
import { formatBytes } from '../../../core/styleguide/internal.js'
import { TableSection } from './page-section.js'

export interface ImagesPageProps {
  /** One image at every allowed width, as returned by `measureImages`. */
  images: readonly MeasuredImage[]
  /** Alternative text of the image. */
  alt: string
}

/**
 * Shows one image and, in a table, its bytes and format as delivered at every width, or `No images found`. Uses no
 * inline styles and no client JavaScript.
 *
 * @example <ImagesPage images={await measured} alt="A cat, running" />
 */
export function ImagesPage({ images, alt }: ImagesPageProps): React.ReactElement {
  if (images.length === 0) return <p className="sw-empty">No images found</p>
  const formats = images[0]?.deliveries.map(({ format }) => format) ?? []
  return (
    <>
      <ResponsiveImage images={images} alt={alt} />
      <TableSection
        title="Widths"
        className="sw-numbers"
        head={['Width', 'Delivered', ...formats]}
        rows={images.filter(isDistinct).map(cellsOf)}
      />
    </>
  )
}

/** Whether no narrower image has the same pixels, as if the original is smaller than the width. */
function isDistinct(image: MeasuredImage, index: number, images: readonly MeasuredImage[]): boolean {
  const pixelsOf = ({ deliveries }: MeasuredImage) => deliveries.find(({ size }) => size)?.size?.width
  const pixels = pixelsOf(image)
  return pixels === undefined || images.findIndex((other) => pixelsOf(other) === pixels) === index
}

/** The image, with a `srcset` of all widths that were delivered. */
function ResponsiveImage({ images, alt }: ImagesPageProps) {
  const delivered = images.filter(({ deliveries }) => deliveries.some(({ bytes }) => bytes))
  const largest = delivered.at(-1)
  if (!largest) return null
  const size = largest.deliveries.find((delivery) => delivery.size)?.size
  return (
    <img
      className="sw-image"
      alt={alt}
      src={largest.url}
      srcSet={delivered.map(({ url, width }) => `${url} ${width}w`).join(', ')}
      sizes="(min-width: 52rem) 48rem, 100vw"
      width={size?.width}
      height={size?.height}
    />
  )
}

function cellsOf({ width, url, deliveries }: MeasuredImage): React.ReactNode[] {
  const size = deliveries.find((delivery) => delivery.size)?.size
  return [
    <a key="width" href={url}>
      {width}
    </a>,
    size && `${size.width} × ${size.height}`,
    ...deliveries.map((delivery) => <Delivery key={delivery.format} {...delivery} />),
  ]
}

function Delivery({ format, type, bytes, problem }: ImageDelivery) {
  if (problem !== undefined || bytes === undefined)
    return <span className="sw-problem">{problem ?? 'Not measured'}</span>
  const isOtherFormat = type?.toLowerCase() !== `image/${format.toLowerCase()}`
  return (
    <>
      {formatBytes(bytes)} {isOtherFormat && <small>{type?.replace('image/', '')}</small>}
    </>
  )
}
