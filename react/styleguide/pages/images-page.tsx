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
 * Shows one image and, in a table, its bytes and format as delivered at each width above 128, or `No images found`. Uses no
 * inline styles and no client JavaScript.
 *
 * @example <ImagesPage images={await measured} alt="A cat, running" />
 */
export function ImagesPage({ images, alt }: ImagesPageProps): React.ReactElement {
  if (images.length === 0) return <p className="sw-empty">No images found</p>
  const formats = images[0]?.deliveries.map(({ format }) => format) ?? []
  const distinct = images.filter(isDistinct)
  const delivered = images.filter(({ deliveries }) => deliveries.some(({ bytes }) => bytes))
  const largest = delivered.at(-1)
  return (
    <>
      <p className="sw-deck">{describeSaving(distinct)}</p>
      {largest && (
        <img
          className="sw-image"
          alt={alt}
          src={largest.url}
          srcSet={delivered.map(({ url, width }) => `${url} ${width}w`).join(', ')}
          sizes="(min-width: 52rem) calc(100vw - 20rem), 100vw"
          {...sizeOf(largest)}
        />
      )}
      <TableSection
        title="Widths"
        className="sw-numbers"
        head={['Width', 'Delivered', ...formats]}
        rows={distinct.filter(({ width }) => width > smallWidth).map(cellsOf)}
      />
    </>
  )
}

/** Images up to this width, in pixels, are icons and avatars, which the table leaves out. */
const smallWidth = 128

/** Describes what the newest format saves at the largest width: `'At 1,024 pixels, AVIF takes 27 % less than JPEG.'`. */
function describeSaving(images: readonly MeasuredImage[]): string | undefined {
  const { deliveries = [] } = images.findLast(({ deliveries }) => deliveries.every(({ bytes }) => bytes)) ?? {}
  const [newest, oldest] = [deliveries[0], deliveries.at(-1)]
  const share = (newest?.bytes ?? 1) / (oldest?.bytes ?? 1)
  if (share >= 1 || !newest?.size) return undefined
  const pixels = newest.size.width.toLocaleString('en')
  return `At ${pixels} pixels, ${newest.format} takes ${Math.round(100 - 100 * share)} % less than ${oldest?.format}.`
}

/** Whether the image has more pixels than every narrower one. It does not if the original is smaller than the width. */
function isDistinct(image: MeasuredImage, index: number, images: readonly MeasuredImage[]): boolean {
  const pixels = sizeOf(image)?.width
  return pixels === undefined || images.findIndex((other) => sizeOf(other)?.width === pixels) === index
}

/** Returns the size in pixels that was delivered. */
const sizeOf = (image: MeasuredImage | undefined) => image?.deliveries.find(({ size }) => size)?.size

function cellsOf(image: MeasuredImage): React.ReactNode[] {
  const { width, url, deliveries } = image
  const size = sizeOf(image)
  return [
    <a key="width" href={url}>
      {size && size.width < width ? 'original' : width}
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
