import * as React from 'react'
import * as ReactDOM from 'react-dom'
import { type ImageLayout, type ImageLoader, imageSrcSet } from '../../core/image/index.js'
import { heightOf, type ImageShape, imageOf, withoutShape } from '../../core/image/internal.js'
import { checkFunction } from '../../core/options.js'

interface ImageAttributes
  extends Omit<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'loading' | 'width' | 'height'>,
    Omit<ImageShape, 'width' | 'ratio'> {
  /** Path or URL of the original. Used unchanged when it is not under a prefix of the loader. */
  src: string
  /** Text alternative; empty for decorative images. */
  alt: string
  /** The `sizes` attribute, when the default of the layout is not exact enough: `'(min-width: 60rem) 50vw, 100vw'`. */
  sizes?: string | undefined
  /** Width of the original in pixels, when known: larger widths are not listed. */
  originalWidth?: number | undefined
  /**
   * Shows a blurred preview until the image has loaded: the `placeholder` of `images.describe`, painted by
   * `sitewright/placeholder.css`. It fills the box of the image, so leave it out with `object-fit: contain`.
   */
  placeholder?: string | undefined
  /** Of `images.describe`; not rendered, like `type` and `color`. */
  isAnimated?: boolean | undefined
  type?: string | undefined
  color?: string | undefined
  /**
   * Preloads the image instead of loading it lazily: for the one or two images that are visible first. Default `false`.
   */
  priority?: boolean | undefined
}

interface ImageSize {
  /** Maximum display width, in CSS pixels. With `height`, it reserves space by aspect ratio. */
  width: number
  /** Height at that width, in CSS pixels. With `ratio`, it follows from the width. */
  height: number
  /**
   * One of the loader's ratios, such as `'16:9'`: the image is cropped to it. Default: the image keeps its own ratio.
   */
  ratio?: string | undefined
  /** Default `'constrained'`: as wide as its container, up to `width`. */
  layout?: ImageLayout | undefined
}

/**
 * The props of a site's own `<Image>`, without the props that its loader determines. With a `ratio`, it needs no
 * height.
 */
export type BoundImageProps = ImageAttributes &
  (
    | ImageSize
    | (Omit<ImageSize, 'height'> & { ratio: string; height?: number | undefined })
    | { layout: 'full-width'; ratio: string; width?: number | undefined; height?: number | undefined }
  )

export type ImageProps = BoundImageProps & {
  /** Returns the URLs, usually `createImageLoader({ sources })`. Bind it once, in a component of the site. */
  loader: ImageLoader
  /**
   * Allowed widths in pixels, for a loader that does not list them, such as one from another library. Default: the
   * loader's widths.
   */
  widths?: readonly number[] | undefined
}

/** The attributes of an `<img>`. */
export type ImageElementProps = React.ComponentProps<'img'> & {
  src: string
  alt: string
  'data-lq'?: string | undefined
}

// In CSS pixels: only its ratio to the height has an effect.
const fullWidth = 1080
// React 18 knows only the lower-case attribute, and warns about the other; `use` is new in React 19.
const fetchPriority = 'use' in React ? 'fetchPriority' : 'fetchpriority'

/**
 * Renders an `<img>` with a `srcset` of the image proxy's URLs, without client JavaScript. It is lazy unless it has
 * `priority`, and `width` and `height` reserve its space. To let it shrink with the viewport, add
 * `img { max-width: 100%; height: auto }` to the site's stylesheet.
 *
 * @example <Image loader={loader} src="/media/cat.jpg" alt="A cat, running" width={640} height={320} />
 * @example
 * <Image
 *   loader={loader} src="/media/cat.jpg" alt="A cat, running" width={640} ratio="16:9" focus={{ x: 0.3, y: 0.7 }}
 * />
 */
export function Image(props: ImageProps): React.ReactElement {
  const attributes = imageProps(props)
  if (props.priority) preloadImage(attributes)
  // biome-ignore lint/a11y/useAltText: it is one of the attributes
  return <img {...attributes} />
}

/**
 * Returns the attributes of the `<img>` that `<Image>` renders, for an element of your own. With `priority`, the image
 * is not lazy, but you must write the preload yourself.
 *
 * @example
 * const { src, srcSet, sizes } = imageProps({ loader, src: '/media/cat.jpg', alt: '', width: 640, height: 320 })
 */
export function imageProps(props: ImageProps): ImageElementProps {
  const { loader, src, alt, layout, ratio, sizes, originalWidth, widths, priority, ...others } = props
  const { placeholder, isAnimated, type, color, ...rest } = withoutShape(others)
  const width = (rest.width ?? (layout === 'full-width' ? fullWidth : undefined)) as number
  const image = imageSrcSet({ ...imageOf(props, width), loader, layout, sizes, originalWidth, widths })
  return {
    alt,
    decoding: 'async',
    ...(priority ? { [fetchPriority]: 'high' } : { loading: 'lazy' }),
    'data-lq': placeholder,
    ...rest,
    ...(ratio !== undefined && { width, height: heightOf(width, ratio) }),
    // With `auto`, the browser uses the width after layout, which it knows by the time it loads a lazy image.
    sizes: image.sizes && !priority ? `auto, ${image.sizes}` : image.sizes,
    srcSet: image.srcset,
    src: image.src,
  }
}

/** Preloads the image of an `<img>` or `<source>`, where the media query matches. */
export function preloadImage({ src, srcSet, sizes }: ImageElementProps, media?: string): void {
  // React 18 has no preload; there, the image only has a high fetch priority.
  ReactDOM.preload?.(src, {
    as: 'image',
    fetchPriority: 'high',
    imageSrcSet: srcSet,
    imageSizes: sizes,
    media,
  })
}

/**
 * Creates the site's own `<Image>`, which needs no `loader` prop. It uses the loader's widths.
 *
 * @param loader `images.loader` of `createImages`; in code that also runs in the browser,
 *   `createImageLoader({ sources })`.
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
