import type { PictureProps } from 'example-site'
import Image from 'next/image'

/** Renders a photograph by next/image, with the URLs of our loader. */
export function Picture({ originalWidth: _, priority = false, ...props }: PictureProps) {
  return <Image {...props} preload={priority} />
}
