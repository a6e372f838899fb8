import type { PictureProps } from '@sitewright/example-site'
import Image from 'next/image'

/** Renders the site's photographs with next/image and our loader. */
export function Picture({ originalWidth: _, priority = false, ...props }: PictureProps) {
  return <Image {...props} preload={priority} />
}
