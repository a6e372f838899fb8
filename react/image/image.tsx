import * as React from 'react'
import * as ReactDOM from 'react-dom'
import { type ImageLayout, type ImageLoader, imageSrcSet } from '../../core/image/index.js'
import { heightOf, type ImageShape, imageOf, withoutShape } from '../../core/image/internal.js'
import { optionError } from '../../core/option-error.js'
import { checkFunction } from '../../core/options.js'

interface ImageAttributes
  extends Omit<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'loading' | 'width' | 'height'>,
    Omit<ImageShape, 'width' | 'ratio'> {
  /** Path or URL of the original. It is used unchanged if it is not under a prefix of the loader. */
  src: string
  /** Text alternative; empty for decorative images. */
  alt: string
  /** The `sizes` attribute, if the default of the layout is not exact enough: `'(min-width: 60rem) 50vw, 100vw'`. */
  sizes?: string | undefined
  /** Width of the original in pixels: larger widths are not listed. Default: unknown, so all widths are listed. */
  originalWidth?: number | undefined
  /**
   * The `placeholder` of `images.describe`: a blurred preview, painted by `sitewright/placeholder.css` until the image
   * has loaded. The preview fills the box of the image, so leave it out with `object-fit: contain`.
   */
  placeholder?: string | undefined
  /** Accepted, like `type` and `color`, so that the result of `images.describe` can be spread; not rendered. */
  isAnimated?: boolean | undefined
  /** Accepted like `isAnimated`; not rendered. */
  type?: string | undefined
  /** Accepted like `isAnimated`; not rendered. */
  color?: string | undefined
  /**
   * Preloads the image instead of loading it lazily: for the one or two images that are visible first. Default `false`.
   */
  priority?: boolean | undefined
}

interface ImageSize {
  /** Maximum display width, in CSS pixels. `width` and `height` reserve space by aspect ratio. */
  width: number
  /** Height at that width, in CSS pixels. With `ratio`, the height follows from the width. */
  height: number
  /**
   * Crops the image to one of the loader's ratios, such as `'16:9'`. Default: the image is not cropped.
   */
  ratio?: string | undefined
  /** Default `'constrained'`: as wide as its container, up to `width`. */
  layout?: ImageLayout | undefined
}

interface FullWidthRatio {
  /** As wide as the viewport. */
  layout: 'full-width'
  /** Crops the image to one of the loader's ratios, such as `'16:9'`. */
  ratio: string
  /** Width of the attribute `width`, in CSS pixels. Default: 1080; only its ratio to the height has an effect. */
  width?: number | undefined
  /** Height at that width, in CSS pixels. Default: by the `ratio`. */
  height?: number | undefined
}

/** The compiler's error has this name where both are missing. */
interface RatioInPlaceOfHeight extends Omit<ImageSize, 'height' | 'ratio'> {
  /** Crops the image to one of the loader's ratios, such as `'16:9'`. */
  ratio: string
  /** Height at that width, in CSS pixels. Default: by the `ratio`. */
  height?: number | undefined
}

/**
 * The props of an `<Image>` with a bound loader, without the props that the loader determines. An image with a `ratio`
 * needs no height.
 */
export type BoundImageProps = ImageAttributes & (FullWidthRatio | ImageSize | RatioInPlaceOfHeight)

export type ImageProps = BoundImageProps & {
  /** Returns the URLs; usually `createImageLoader({ sources })`. `createImageComponent` binds it for the whole site. */
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
  /** The `placeholder`, which `sitewright/placeholder.css` paints. Default: none. */
  'data-lq'?: string | undefined
}

// The width in CSS pixels stands in for a missing one: only its ratio to the height has an effect.
const fullWidth = 1080
// React 18 knows only the lower-case attribute, and warns about the camel-case attribute; `use` is new in React 19.
const fetchPriority = 'use' in React ? 'fetchPriority' : 'fetchpriority'

/**
 * Renders an `<img>` with a `srcset` of the image proxy's URLs, without client JavaScript. The image is lazy unless it
 * has `priority`, and `width` and `height` reserve its space. To let images shrink with the viewport, add
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
  // biome-ignore lint/a11y/useAltText: alt is one of the attributes
  return <img {...attributes} />
}

/**
 * Returns the attributes of the `<img>` that `<Image>` renders, for an element that you render yourself. With
 * `priority`, the image is not lazy, but you must write the preload yourself.
 *
 * @example
 * const { src, srcSet, sizes } = imageProps({ loader, src: '/media/cat.jpg', alt: '', width: 640, height: 320 })
 */
export function imageProps(props: ImageProps): ImageElementProps {
  const { loader, src, alt, layout, ratio, sizes, originalWidth, widths, priority, ...imgProps } = props
  const { placeholder, isAnimated, type, color, ...rest } = withoutShape(imgProps)
  const width = (rest.width ?? (layout === 'full-width' ? fullWidth : undefined)) as number
  const image = imageSrcSet({ ...imageOf(props, width), loader, layout, sizes, originalWidth, widths })
  // Spelled out, so that a bundle for production leaves the check out.
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production' && !(rest.height || ratio)) {
    throw optionError('height', 'the height at that width, in CSS pixels, or a ratio', rest.height, `src is ${src}`)
  }
  return {
    alt,
    decoding: 'async',
    ...(priority ? { [fetchPriority]: 'high' } : { loading: 'lazy' }),
    'data-lq': placeholder,
    ...rest,
    ...(ratio !== undefined && { width, height: heightOf(width, ratio) }),
    // With `auto`, the browser uses the width after layout. For a lazy image, the layout precedes the request.
    sizes: image.sizes && !priority ? `auto, ${image.sizes}` : image.sizes,
    srcSet: image.srcset,
    src: image.src,
  }
}

/** Preloads the image of an `<img>` or `<source>` if the media query matches. */
export function preloadImage({ src, srcSet, sizes }: ImageElementProps, media?: string): void {
  // React 18 has no preload; with React 18, the image only has a high fetch priority.
  ReactDOM.preload?.(src, {
    as: 'image',
    fetchPriority: 'high',
    imageSrcSet: srcSet,
    imageSizes: sizes,
    media,
  })
}

/**
 * Creates an `<Image>` for the site, with the loader bound: it needs no `loader` prop, and uses the loader's widths.
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
