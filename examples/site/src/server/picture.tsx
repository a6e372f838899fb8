import { Image } from 'sitewright/react/image'
import type { PictureProps } from '../parts/picture.ts'
import { loadImage } from './images.ts'

/** The site's pictures, bound to the image proxy. */
export function Picture(props: PictureProps) {
  return <Image loader={loadImage} {...props} />
}
