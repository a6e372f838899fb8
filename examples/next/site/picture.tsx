import type { PictureProps } from '@sitewright/example-site'
import NextImage from 'next/image'
import { createImageLoader } from 'sitewright/image'
import { Picture as ArtDirected, createImageComponent } from 'sitewright/react/image'

const loader = createImageLoader({ sources: ['/media/'] })
const Image = createImageComponent(loader)

/** Renders the site's photographs with next/image and our loader, and with our components where they have another shape. */
export function Picture({ sources, ...props }: PictureProps) {
  if (sources) return <ArtDirected loader={loader} {...props} sources={sources} />
  if (props.ratio) return <Image {...props} />
  const { originalWidth, focus, ratio, placeholder, priority = false, ...rest } = props
  return <NextImage {...rest} preload={priority} data-lq={placeholder} />
}
