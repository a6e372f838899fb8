import type * as React from 'react'
import type { ImageSrcSetOptions } from '../../core/image/index.js'
import { createSourceChecks } from '../../core/image/internal.js'
import { optionError } from '../../core/option-error.js'
import { atLeast, checkKnownOptions, type OptionCheck, type OptionChecks, required } from '../../core/options.js'
import { type ImageElementProps, type ImageProps, imageProps, preloadImage } from './image.js'

type Optional<Options> = { [Name in keyof Options]?: Options[Name] | undefined }
type Overrides = Omit<ImageSrcSetOptions, 'loader' | 'src' | 'widths'>

/**
 * Another crop or another image, for a media query. Props that the source does not set are inherited from the picture.
 */
export interface PictureSource extends Optional<Overrides> {
  /** Media query: `'(max-width: 40rem)'`, `'(prefers-color-scheme: dark)'`. */
  media: string
  /** Path or URL of another original, which does not inherit `focus` and `originalWidth`. */
  src?: string | undefined
  /** Height of an image of this `width`. Default: from `ratio`, or else from the proportions of the picture. */
  height?: number | undefined
}

export type PictureProps = ImageProps & {
  /**
   * Sources, the most specific first: the browser takes the first source whose media query matches. If no query
   * matches, it takes the image of the picture.
   */
  sources: readonly PictureSource[]
}

const checkMedia: OptionCheck<string> = (option, value) => {
  if (typeof value === 'string' && value.trim()) return value
  throw optionError(option, "a media query such as '(max-width: 40rem)'", value)
}

const checks: OptionChecks<PictureSource> = {
  media: required(checkMedia),
  ...createSourceChecks(),
  height: atLeast(1),
}

/**
 * Renders a `<picture>`: an `<Image>` with other crops or images for some viewports or for a dark color scheme. Each
 * source has its width and height, so the layout does not shift. With `priority`, each viewport preloads only the file
 * that it shows.
 *
 * @throws TypeError for a source without `media`, or with an unknown option.
 * @example
 * <Picture
 *   loader={loader} src="/media/cat.jpg" alt="A cat, running" layout="full-width" ratio="16:9" priority
 *   sources={[{ media: '(max-width: 40rem)', ratio: '1:1', focus: { x: 0.3, y: 0.7 } }]}
 * />
 */
export function Picture({ sources, ...props }: PictureProps): React.ReactElement {
  if (!Array.isArray(sources)) throw optionError('sources', "a list such as [{ media: '(max-width: 40rem)' }]", sources)
  const image = imageProps(props)
  const images = sources.map((source: PictureSource) => sourceProps(props, source))
  if (props.priority) preload([...images, image], sources)
  return (
    <picture>
      {images.map(({ src, srcSet, sizes, width, height }, index) => (
        <source
          // biome-ignore lint/suspicious/noArrayIndexKey: sources differ only by their order
          key={index}
          media={sources[index]?.media}
          srcSet={srcSet ?? src}
          sizes={sizes}
          width={width}
          height={height}
        />
      ))}
      {/* biome-ignore lint/a11y/useAltText: alt is one of the attributes of image */}
      <img {...image} />
    </picture>
  )
}

function preload(images: ImageElementProps[], sources: readonly PictureSource[]): void {
  const media = exclusiveMedia(sources.map((source) => source.media))
  for (const [index, query] of media.entries()) preloadImage(images[index] as ImageElementProps, query)
}

function sourceProps(picture: ImageProps, source: PictureSource): ImageElementProps {
  checkKnownOptions(source, checks, "sources={[{ media: '(max-width: 40rem)', ratio: '1:1' }]}")
  const { media: _, ...sourceOptions } = source
  const overrides = Object.fromEntries(Object.entries(sourceOptions).filter(([, value]) => value != null))
  const isOtherImage = source.src !== undefined && source.src !== picture.src
  const width = source.width ?? picture.width
  const proportion = picture.width && picture.height ? picture.height / picture.width : undefined
  return imageProps({
    ...picture,
    ...(isOtherImage && { focus: undefined, originalWidth: undefined }),
    height: width && proportion && Math.round(width * proportion),
    ...overrides,
  } as ImageProps)
}

/**
 * Returns media queries of which exactly one matches: one for each source, and one for no source. Each query excludes
 * the queries of earlier sources. The list is empty if a query cannot be negated, such as `print`. A browser without
 * the `not (…)` of Media Queries 4 matches no query.
 *
 * @see https://www.w3.org/TR/mediaqueries-4/#media-conditions
 * @example exclusiveMedia(['(max-width: 40rem)']) // ['((max-width: 40rem))', '(not ((max-width: 40rem)))']
 */
export function exclusiveMedia(media: readonly string[]): string[] {
  const conditions = media.map(conditionOf)
  if (!conditions.every((condition) => condition !== undefined)) return []
  const negations = conditions.map((condition) => `(not ${condition})`)
  return [...conditions, undefined].map((condition, index) =>
    [...(condition ? [condition] : []), ...negations.slice(0, index)].join(' and '),
  )
}

/**
 * Returns a list of media queries as one condition in parentheses. Drops media types, since images are preloaded on
 * screens.
 */
function conditionOf(media: string): string | undefined {
  const queries = media.split(',').map((query) =>
    query
      .trim()
      .replace(/^(?:only\s+)?(?:all|screen)\s+and\s+/i, '')
      .replace(/^not\s+(?:all|screen)\s+and\s+(.*)$/is, 'not ($1)'),
  )
  if (!queries.every((query) => /^(?:not\s*)?\(/i.test(query))) return undefined
  return queries.length === 1 ? `(${queries[0]})` : `(${queries.map((query) => `(${query})`).join(' or ')})`
}
