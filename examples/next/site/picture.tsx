import type { PictureProps } from 'example-site'
import Image from 'next/image'

/** The site's pictures by next/image, whose URLs are made by our loader. */
export function Picture({ originalWidth: _, priority = false, ...props }: PictureProps) {
  return <Image {...props} preload={priority} />
}
