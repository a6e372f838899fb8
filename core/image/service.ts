import type { MaybePromise } from '../async.js'
import type { Store, TagIndex } from '../cache/index.js'
import type { RouteHandler } from '../handler.js'
import type { Log } from '../log.js'
import type { ResponseBody } from '../response-factory.js'
import type { OriginalInfo } from './describe/original.js'
import type { NegotiatedFormat } from './formats.js'
import type { Sources } from './sources.js'

/** Path prefixes with their folders, and URL prefixes with `true`: `{ '/media/': './media', 'https://cdn.example.com/': true }`. */
export type SourceFolders = Readonly<Record<string, string | true>>

/** The site, as a service sees it. */
export interface ImageSite {
  /** The option `sources` as given: prefixes, with their folders if there are any. */
  sources: Sources | SourceFolders
  /** Store for the images; `undefined` for the service's own default. */
  cache: Store | undefined
  /** Knows which sources were purged. */
  tagIndex: TagIndex
  /** Seconds for which browsers and caches may use an image without asking again. */
  maxAge: number
  log: Log | undefined
}

/**
 * Creates the service of a site: the result of `sharpService()` of `sitewright/sharp`, and of
 * `imgproxy({ serviceUrl, key, salt })` of `sitewright/imgproxy`.
 */
export type CreateImageService = (site: ImageSite) => ImageService

/** Makes images from originals. It knows no URL of the site, and creates no response. */
export interface ImageService {
  /** Makes an image. A result that is in memory is returned without a promise. A promise that rejects is a 502. */
  getImage(image: ImageRequest, client: ImageClient): MaybePromise<ImageResult>
  /**
   * Describes an original.
   *
   * @throws Error that says why it cannot.
   */
  describe(source: string): Promise<OriginalInfo>
  /** Wraps the handler of the images, for example in a cache. Default: the handler is not wrapped. */
  wrap?(handler: RouteHandler): RouteHandler
  /** Options that the service cannot work without. While there are any, each image is answered with 500. Default: none. */
  readonly missing?: readonly string[]
  /** Identifies how the service draws social cards: fonts, colors and mark. Default: it draws none. */
  readonly cardStyle?: string
}

/** Fractions of width and height, from the top left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The text of a social card, and how it is arranged. */
export interface CardText {
  /** The card has at most its first 250 characters. It is drawn smaller if it is long, and then ends in an ellipsis. */
  readonly title: string
  /** Language of the title, such as `'ja'`: it chooses between the forms of a letter. Default: none. */
  readonly language?: string | undefined
  /**
   * Where the title is: at the bottom of the photograph, in its center, or on a plain area beside it. Default `bottom`.
   * Texts that are written from right to left are on the other side.
   */
  readonly layout: 'bottom' | 'center' | 'side'
}

/** An image to make. Its source is under an allowed prefix, and the site allows its other values. */
export interface ImageRequest {
  /** Path or URL of the original, in its canonical form. */
  readonly source: string
  /** In pixels. An image is never enlarged. */
  readonly width: number
  /** The image is cropped to this ratio, such as `'16:9'`. `undefined`: it keeps the ratio of the original. */
  readonly ratio: string | undefined
  /** The point that a crop keeps in view. `undefined`: the service picks the most interesting part. */
  readonly focus: Point | undefined
  /** The current version of the original, if the URL names it. */
  readonly version: string | undefined
  /** The image is a social card with this text: a JPEG of exactly this size, in which the original is enlarged. Default: none. */
  readonly card?: CardText | undefined
}

/** The visitor who requests an image: which formats are accepted, and which images are already there. */
export interface ImageClient {
  /** Which formats may be sent besides JPEG, PNG and GIF, best first. */
  readonly formats: readonly NegotiatedFormat[]
  /**
   * Entity tags of the visitor's images in accepted formats, as the service has assigned them: strong, or weak with `W/`. The single tag
   * `*` stands for any image.
   */
  readonly etags: readonly string[]
  /** `If-Modified-Since`, if the visitor sends it without `If-None-Match`, which takes precedence (RFC 9110, section 13.1.3). */
  readonly modifiedSince: string | null
  /** Whether the body of an image will be sent. It is not for HEAD, and not if the visitor has the image. */
  needsBody(etag: string | null, type: string): boolean
  /** Returns a signal that aborts when the visitor leaves. A function, because servers create the signal on first access. */
  signal(): AbortSignal | undefined
  /** Reports that a body has failed after its first chunk, when it is too late for another response. */
  onBodyError(failure: ServiceFailure): void
}

export type ImageResult = ServedImage | UnchangedImage | ServiceFailure

interface Validators {
  /** Entity tag (RFC 9110, section 8.8.3). It may be the same for all formats of an image. */
  readonly etag: string | null
  /** `Last-Modified`. Default: none. */
  readonly lastModified?: string | null
  /** `Vary`. Of its fields, only `Accept` is passed on, because the service gets no other field of the visitor. */
  readonly vary: string | null
  /** Whether caches must not store the image. Default false. */
  readonly isUnstorable?: boolean
}

export interface ServedImage extends Validators {
  readonly status: 200
  /** Media type, which begins with `image/`. */
  readonly type: string
  /** `null` if {@link ImageClient.needsBody} says that it is not sent. */
  readonly body: ResponseBody
  /** Length of the body in bytes, if it is known. */
  readonly length: number | undefined
}

/** The visitor already has the image. */
export interface UnchangedImage extends Validators {
  readonly status: 304
}

/** Why there is no image. */
export interface ServiceFailure {
  /**
   * 404: there is no original. 422: it is no image, or one that cannot be processed. 429 and 503: the service is busy. 504: it took too long.
   * 400: the service cannot name the source. With any other status, the service itself has failed.
   */
  readonly status: number
  /** When the service can be asked again, in seconds. Default 1. */
  readonly retryAfter?: number
  /**
   * For the log, never for visitors. `failure` says why one original has no image; it is logged for each original. `reason` may concern all
   * images; it is logged once.
   */
  readonly details: { readonly status?: number; readonly failure?: string; readonly reason?: string }
}
