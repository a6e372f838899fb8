import { memoryTagIndex, type Store, type TagIndex } from '../cache/index.js'
import { checkStore, checkTagIndex } from '../cache/internal.js'
import { channels } from '../diagnostics.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import type { Log } from '../log.js'
import { optionError, secretError } from '../option-error.js'
import {
  checkFunction,
  checkKnownOptions,
  checkOptions,
  functionAs,
  integer,
  type OptionChecks,
  required,
  unchecked,
} from '../options.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import type { Secret } from '../secrets.js'
import { type CardOptions, createCards } from './card.js'
import { createDescriber } from './describe/describe.js'
import type { ImageDescription } from './describe/original.js'
import { checkSource, createImageLoader, type ImageLoader, type ImageLoaderOptions, loaderChecks } from './loader.js'
import { createImageProxy } from './proxy.js'
import type { CreateImageService, SourceFolders } from './service.js'
import { createSourceNames, sourceTag } from './source-names.js'
import type { Sources } from './sources.js'
import { type ImageSrcSet, type ImageSrcSetOptions, imageSrcSet } from './srcset.js'
import { decodeSource, defaultPrefix } from './url.js'
import { warnIfUnmounted } from './warnings.js'

export interface ImagesOptions extends Omit<ImageLoaderOptions, 'sources'> {
  /**
   * The sources that may be resized: path prefixes with the folders of their files, and URL prefixes with `true`. A list of prefixes is
   * enough for a service that does not read folders, such as imgproxy.
   *
   * @example { '/media/': './media', 'https://cdn.example.com/photos/': true }
   */
  sources: Sources | SourceFolders
  /**
   * The service that makes the images: `sharpService()` of `sitewright/sharp`, or `imgproxy({ serviceUrl, key, salt })` of
   * `sitewright/imgproxy`.
   */
  service: CreateImageService
  /**
   * Store for the finished images: `diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })`. Default: memory,
   * 32 MiB with `sharpService`, 64 MiB with `imgproxy`.
   */
  cache?: Store | undefined
  /**
   * Tag index of the purged sources. If the page cache uses the same index, one purge reaches both. Default: a separate index in memory.
   */
  tagIndex?: TagIndex | undefined
  /**
   * Seconds for which browsers and caches may use an image without asking again. After that, they ask again and get
   * a 304 if it is unchanged. A replaced original therefore becomes visible within this time.
   * Images with a version in their URL are kept for a year. Default 300.
   */
  maxAge?: number | undefined
  /**
   * Signs the addresses of social cards: at least 32 characters, such as the output of `openssl rand -hex 32`, and the
   * same on all machines. In a list, the first secret signs, and all are accepted. Default: there are no cards.
   */
  secret?: Secret
  /**
   * Receives warnings and errors, with the source and the service's message. Each kind is logged at most once a minute; the next entry
   * says in `suppressed` how many were omitted. Default: `console.error`.
   */
  log?: Log | undefined
}

/** The images of a site. */
export interface Images {
  /** Answers `GET|HEAD /{prefix}/{source}?width={n}`. Mount it: `app.use(honoMiddleware(images.handler))`. */
  readonly handler: RouteHandler
  /** Returns the URL of an image at a width, for `<Image>` and `next/image`. */
  readonly loader: ImageLoader
  /**
   * Returns `src`, `srcset` and `sizes` of an `<img>`: `imageSrcSet` with the site's loader and widths.
   * `src` has the next larger allowed width: 750 pixels for a `width` of 641.
   */
  srcSet(image: Omit<ImageSrcSetOptions, 'loader' | 'widths'>): ImageSrcSet
  /**
   * Returns the address of a social card: a JPEG of 1200 x 630 pixels with the photograph, cropped to its focus, the
   * title, and the mark of `sharpService({ card })`. The address changes with its content, because networks keep
   * pictures by address; for that of the photograph, set `version`. A source under no prefix is returned unchanged.
   *
   * @throws TypeError without a `secret`.
   * @example cardMeta(images.card({ src: '/media/cat.jpg', title: 'A cat' }), { origin, alt: 'A cat, running' })
   */
  card(card: CardOptions): string
  /**
   * Describes an original, so that an `<Image>` needs no `width` and `height`. The description is kept and purged like
   * the images of the source.
   *
   * @throws TypeError for a source that is not under any prefix, Error if the original is missing, not an image or too
   *   large.
   * @example <Image loader={images.loader} {...(await images.describe('/media/cat.jpg'))} alt="A cat, running" />
   */
  describe(src: string): Promise<ImageDescription>
  /**
   * Returns the tag that purges all widths and formats of a source; `undefined` if the source is not under any prefix. The tag is the
   * source itself, in its canonical form.
   *
   * @example images.tagOf('/media/größe.jpg') // '/media/gr%C3%B6%C3%9Fe.jpg'
   */
  tagOf(src: string): string | undefined
  /**
   * Purges sources, however they are spelled. Once the promise resolves, no request gets an image that was made before
   * the purge.
   */
  invalidate(sources: readonly string[]): Promise<void>
}

const checks: OptionChecks<ImagesOptions> = {
  ...loaderChecks,
  service: required(functionAs('sharpService() or imgproxy({ serviceUrl, key, salt })', ['sharpService', 'imgproxy'])),
  maxAge: integer(),
  secret: unchecked,
  cache: checkStore,
  tagIndex: checkTagIndex,
  log: checkFunction,
}

/**
 * Creates everything that a site needs for its images: proxy, service, loader and purge, with sources, prefix and widths in one place.
 * When a site moves from one machine to several, only `service` changes. Browser code uses `createImageLoader` with the same prefixes;
 * it knows neither keys nor folders.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
 * app.use(honoMiddleware(images.handler))
 * images.srcSet({ src: '/media/cat.jpg', width: 640 }) // { src, srcset, sizes }
 */
export function createImages(options: ImagesOptions): Images {
  const call = "createImages({ sources: { '/media/': './media' }, service: sharpService() })"
  const hint = 'how images are made is an option of the service, such as sharpService({ quality })'
  checkKnownOptions(options, checks, call, hint)
  const sources = prefixesOf(options.sources)
  const { service: createService, cache, tagIndex = memoryTagIndex(), log, maxAge = 300, secret, ...rest } = options
  const shared = { ...rest, sources }
  const service = createService({ sources: options.sources, cache, tagIndex, maxAge, log })
  if (typeof service?.getImage !== 'function') {
    throw optionError('service', 'sharpService() or imgproxy({ serviceUrl, key, salt })', createService, 'call it')
  }
  const cards = createCards(shared, secret, service.cardStyle)
  const images = createImageProxy({ ...shared, maxAge, log, cards }, service)
  const nameOf = createSourceNames(sources)
  const route = parseRoutePath('prefix', options.prefix ?? defaultPrefix)
  const wrapped = service.wrap?.(images)
  // Requests for pages are kept out of the image cache, which would look up each of them in its store.
  const answer = async (request: Request) =>
    isBelowRoute(new URL(request.url).pathname, route) ? wrapped?.(request) : undefined
  const publish = async (request: Request) => {
    const response = await (wrapped ? answer : images)(request)
    if (response && channels.image?.hasSubscribers) channels.image.publish({ request, status: response.status })
    return response
  }
  const { handler, loader } = warnIfUnmounted(expectRequest(publish), createImageLoader(shared))
  const tagOf = (src: string) => {
    checkSource('tagOf', src)
    // An image URL that was copied from the browser stands for its source.
    const source = src.startsWith(`${route}/`)
      ? decodeSource(src.slice(route.length + 1).replace(/\/?(?:[?#].*)?$/s, ''))
      : src
    const { name } = nameOf(source ?? '')
    return name && sourceTag(name)
  }
  return {
    handler,
    loader,
    srcSet: (image) => imageSrcSet({ ...checkOptions(image, 'srcSet', srcSetCall), loader }),
    card(card) {
      if (!cards) throw secretError('secret', '32 characters or more, which sign the cards', 'none')
      const src = checkSource('src', card.src)
      const { name } = nameOf(src)
      const url = loader({ src, width: loader.widths?.[0] ?? 1 })
      return name === undefined || url === src ? src : url.slice(0, url.indexOf('?')) + cards.write(card, name)
    },
    describe: createDescriber(service, sources, nameOf),
    tagOf,
    async invalidate(given) {
      if (!Array.isArray(given)) throw optionError('invalidate', "a list of sources, such as ['/media/cat.jpg']", given)
      const tags = given.map((src) => {
        const tag = tagOf(src)
        if (tag === undefined) throw optionError('invalidate', `paths or URLs under ${[...sources].join(', ')}`, src)
        return tag
      })
      if (tags.length > 0) await tagIndex.purge(tags, 'hard')
    },
  }
}

const srcSetCall = "write images.srcSet({ src: '/media/cat.jpg', width: 640 })"

function prefixesOf(sources: ImagesOptions['sources']): Sources {
  if (sources === 'any' || Array.isArray(sources)) return sources as Sources
  const expected = "prefixes with their folders, such as { '/media/': './media' }"
  if (typeof sources !== 'object' || sources === null) throw optionError('sources', expected, sources)
  const prefixes = Object.keys(sources)
  if (prefixes.length === 0) throw secretError('sources', expected, 'an empty object')
  return prefixes
}
