import type * as React from 'react'
import type { ImageLoader } from '../../core/image/index.js'
import { checkFunction } from '../../core/options.js'
import { Image, type ImageProps } from './image.js'

/** The props of a site's own `<Image>`: all but what its loader says. */
export type BoundImageProps = Omit<ImageProps, 'loader' | 'widths'>

/**
 * Creates the site's own `<Image>`, which needs no loader. It has the loader's widths.
 *
 * @param loader `images.loader` of `createImages`; in code that also runs in the browser, `createImageLoader({ sources })`.
 * @example
 * export const Image = createImageComponent(createImageLoader({ sources: ['/media/'] }))
 * // <Image src="/media/cat.jpg" alt="A cat, running" width={640} height={320} />
 */
export function createImageComponent(loader: ImageLoader): (props: BoundImageProps) => React.ReactElement {
  checkFunction('loader', loader, 'the loader of createImages, or createImageLoader(…)')
  const BoundImage = (props: BoundImageProps) => <Image loader={loader} {...props} />
  BoundImage.displayName = 'Image'
  return BoundImage
}
