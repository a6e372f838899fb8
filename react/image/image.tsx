import * as React from 'react'
import * as ReactDOM from 'react-dom'
import { type ImageLayout, type ImageLoader, imageSrcSet } from '../../core/image/index.js'

export interface ImageProps extends Omit<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'loading'> {
  /** Makes the URLs, usually `createImageLoader({ sources })`. A site binds it once, in a component of its own. */
  loader: ImageLoader
  /** Path or URL of the original. One under none of the loader's prefixes is shown as it is. */
  src: string
  /** What the picture shows, for those who do not see it; empty for mere decoration. */
  alt: string
  /** Greatest width at which it is shown, in CSS pixels. Gives, with `height`, the aspect ratio of its place. */
  width: number
  /** Height at that width, in CSS pixels. */
  height: number
  /** Default `'constrained'`: as wide as its place, up to `width`. */
  layout?: ImageLayout | undefined
  /** The `sizes` of its place, when the layout's own is not exact enough: `'(min-width: 60rem) 50vw, 100vw'`. */
  sizes?: string | undefined
  /** Width of the original in pixels, when known: nothing above it is offered. */
  originalWidth?: number | undefined
  /** Allowed widths in pixels, the same as the proxy's. */
  widths?: readonly number[] | undefined
  /** The picture that a visitor sees first: preloaded and never lazy. At most one or two on a page. */
  priority?: boolean | undefined
}

// React 18 knows the attribute in lower case only, and warns about the other; `use` came with React 19.
const fetchPriority = 'use' in React ? 'fetchPriority' : 'fetchpriority'

/**
 * An `<img>` with a `srcset` of the image proxy's URLs: lazy unless it has `priority`, its place reserved by `width`
 * and `height`, and no client JavaScript. For the place to shrink with the window, the site's stylesheet says
 * `img { max-width: 100%; height: auto }`.
 *
 * @example <Image loader={loader} src="/media/cat.jpg" alt="A cat, running" width={640} height={320} />
 */
export function Image(props: ImageProps): React.ReactElement {
  const { loader, src, alt, layout, sizes, originalWidth, widths, priority = false, ...rest } = props
  const image = imageSrcSet({ loader, src, width: rest.width, layout, sizes, originalWidth, widths })
  if (priority) preload(image)
  return (
    <img
      alt={alt}
      decoding="async"
      {...(priority ? { [fetchPriority]: 'high' } : { loading: 'lazy' })}
      {...rest}
      // `auto` lets the browser measure the place itself; it may, since a lazy picture is asked for after layout.
      sizes={image.sizes && !priority ? `auto, ${image.sizes}` : image.sizes}
      srcSet={image.srcset}
      src={image.src}
    />
  )
}

function preload({ src, srcset, sizes }: ReturnType<typeof imageSrcSet>): void {
  // React 18 has no preload; there the high fetch priority of the picture itself must do.
  ReactDOM.preload?.(src, {
    as: 'image',
    fetchPriority: 'high',
    ...(srcset && { imageSrcSet: srcset }),
    ...(sizes && { imageSizes: sizes }),
  })
}
