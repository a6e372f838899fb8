import { createImageComponent, createPictureComponent } from 'sitewright/react/image'
import type { PictureProps } from '../parts/picture.ts'
import { loadImage } from './images.ts'

const Image = createImageComponent(loadImage)
const ArtDirected = createPictureComponent(loadImage)

/** Renders a photograph by the image proxy. */
export function Picture({ sources, ...props }: PictureProps) {
  return sources ? <ArtDirected {...props} sources={sources} /> : <Image {...props} />
}
