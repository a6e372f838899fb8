import * as React from 'react'
import * as ReactDOM from 'react-dom'
import { type ImageLayout, type ImageLoader, imageSrcSet } from '../../core/image/index.js'
import { checkFunction } from '../../core/options.js'

export interface ImageProps extends Omit<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'loading'> {
  /** Returns the URLs, usually `createImageLoader({ sources })`. Bind it once, in a component of the site. */
  loader: ImageLoader
  /** Path or URL of the original. Used unchanged when it is not under a prefix of the loader. */
  src: string
  /** Text alternative; empty for decorative images. */
  alt: string
  /** Maximum display width, in CSS pixels. With `height`, it reserves space by aspect ratio. */
  width: number
  /** Height at that width, in CSS pixels. */
  height: number
  /** Default `'constrained'`: as wide as its container, up to `width`. */
  layout?: ImageLayout | undefined
  /** The `sizes` attribute, when the default of the layout is not exact enough: `'(min-width: 60rem) 50vw, 100vw'`. */
  sizes?: string | undefined
  /** Width of the original in pixels, when known: larger widths are not listed. */
  originalWidth?: number | undefined
  /** Allowed widths in pixels, for a loader that does not list them, as from another library. Default: the loader's widths. */
  widths?: readonly number[] | undefined
  /**
   * Shows a blurred preview until the image is there: the `placeholder` of `images.describe`, painted by `sitewright/placeholder.css`. It
   * fills the box of the image, so leave it out with `object-fit: contain`.
   */
  placeholder?: string | undefined
  /** Of `images.describe`; not rendered, like `type` and `color`. */
  isAnimated?: boolean | undefined
  type?: string | undefined
  color?: string | undefined
  /** Preloads the image instead of loading it lazily: for the one or two images that are visible first. Default `false`. */
  priority?: boolean | undefined
}

// React 18 knows only the lower-case attribute, and warns about the other; `use` is new in React 19.
const fetchPriority = 'use' in React ? 'fetchPriority' : 'fetchpriority'

/**
 * Renders an `<img>` with a `srcset` of the image proxy's URLs, without client JavaScript. It is lazy unless it has
 * `priority`, and `width` and `height` reserve its space. To let it shrink with the viewport, add
 * `img { max-width: 100%; height: auto }` to the site's stylesheet.
 *
 * @example <Image loader={loader} src="/media/cat.jpg" alt="A cat, running" width={640} height={320} />
 */
export function Image(props: ImageProps): React.ReactElement {
  const { loader, src, alt, layout, sizes, originalWidth, widths, priority = false, ...others } = props
  const { placeholder, isAnimated, type, color, ...rest } = others
  const image = imageSrcSet({ loader, src, width: rest.width, layout, sizes, originalWidth, widths })
  if (priority) preload(image)
  return (
    <img
      alt={alt}
      decoding="async"
      {...(priority ? { [fetchPriority]: 'high' } : { loading: 'lazy' })}
      data-lq={placeholder}
      {...rest}
      // With `auto`, the browser uses the width after layout, which it knows by the time it loads a lazy image.
      sizes={image.sizes && !priority ? `auto, ${image.sizes}` : image.sizes}
      srcSet={image.srcset}
      src={image.src}
    />
  )
}

function preload({ src, srcset, sizes }: ReturnType<typeof imageSrcSet>): void {
  // React 18 has no preload; there, the image only has a high fetch priority.
  ReactDOM.preload?.(src, {
    as: 'image',
    fetchPriority: 'high',
    ...(srcset && { imageSrcSet: srcset }),
    ...(sizes && { imageSizes: sizes }),
  })
}

/** The props of a site's own `<Image>`, without the props that its loader determines. */
export type BoundImageProps = Omit<ImageProps, 'loader' | 'widths'>

/**
 * Creates the site's own `<Image>`, which needs no `loader` prop. It uses the loader's widths.
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
