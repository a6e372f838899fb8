import { Picture as ArtDirected, createImageComponent } from 'sitewright/react/image'
import type { PictureProps } from '../parts/picture.ts'
import { loadImage } from './images.ts'

const Image = createImageComponent(loadImage)

/** Renders a photograph by the image proxy. */
export function Picture({ sources, ...props }: PictureProps) {
  return sources ? <ArtDirected loader={loadImage} {...props} sources={sources} /> : <Image {...props} />
}
