import { Image } from 'sitewright/react/image'
import type { PictureProps } from '../parts/picture.ts'
import { loadImage } from './images.ts'

/** Renders a photograph by the image proxy. */
export function Picture(props: PictureProps) {
  return <Image loader={loadImage} {...props} />
}
