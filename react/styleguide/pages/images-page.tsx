import type * as React from 'react'
import { formatBytes, type ImageDelivery, type MeasuredImage } from '../../../core/styleguide/index.js'
import { PageSection, Scrollable } from './page-section.js'

export interface ImagesPageProps {
  /** One photograph at every allowed width, as `measureImages` found it. */
  images: readonly MeasuredImage[]
  /** What the photograph shows. */
  alt: string
}

/**
 * One photograph at every allowed width, with bytes and format as delivered, and the photograph itself. `No images found`
 * when nothing was measured. No inline style and no client JavaScript.
 *
 * @example <ImagesPage images={await measured} alt="A cat, running" />
 */
export function ImagesPage({ images, alt }: ImagesPageProps): React.ReactElement {
  if (images.length === 0) return <p className="sw-empty">No images found</p>
  const formats = images[0]?.deliveries.map(({ format }) => format) ?? []
  return (
    <>
      <Photograph images={images} alt={alt} />
      <PageSection title="Widths">
        <Scrollable label="Bytes of each width">
          <table className="sw-numbers">
            <thead>
              <tr>
                <th scope="col">Width</th>
                <th scope="col">Delivered</th>
                {formats.map((format) => (
                  <th key={format} scope="col">
                    {format}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {images.map((image) => (
                <ImageRow key={image.width} {...image} />
              ))}
            </tbody>
          </table>
        </Scrollable>
      </PageSection>
    </>
  )
}

/** By a `srcset` of all widths that were delivered, so that the browser takes the one that it needs. */
function Photograph({ images, alt }: ImagesPageProps) {
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

function ImageRow({ width, url, deliveries }: MeasuredImage) {
  const size = deliveries.find((delivery) => delivery.size)?.size
  return (
    <tr>
      <th scope="row">
        <a href={url}>{width}</a>
      </th>
      <td>{size && `${size.width} × ${size.height}`}</td>
      {deliveries.map((delivery) => (
        <td key={delivery.format}>
          <Delivered {...delivery} />
        </td>
      ))}
    </tr>
  )
}

function Delivered({ format, type, bytes, problem }: ImageDelivery) {
  if (problem !== undefined || bytes === undefined)
    return <span className="sw-problem">{problem ?? 'Not measured'}</span>
  const isOther = type?.toLowerCase() !== `image/${format.toLowerCase()}`
  return (
    <>
      {formatBytes(bytes)} {isOther && <small>{type?.replace('image/', '')}</small>}
    </>
  )
}
