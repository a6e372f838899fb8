import type { Store, TagIndex } from '../../cache/index.js'
import type { RouteHandler } from '../../handler.js'
import type { Log } from '../../log.js'
import type { ImageProxyOptions } from '../proxy.js'
import type { Sources } from '../sources.js'

/** Path prefixes with their folders, and URL prefixes with `true`: `{ '/media/': './media', 'https://cdn.example.com/': true }`. */
export type SourceFolders = Readonly<Record<string, string | true>>

/** What a service needs to know of the site. */
export interface ImageSite {
  /** As given: prefixes, with their folders where there are any. */
  sources: Sources | SourceFolders
  /** Where images are kept; `undefined` for the service's own default. */
  cache: Store | undefined
  /** Knows which sources were purged. */
  tagIndex: TagIndex
  log: Log | undefined
}

/** How images are made: `sharpService()` of `sitewright/sharp`, or `imgproxy({ serviceUrl, key, salt })`. */
export type ImageService = (site: ImageSite) => ImageServiceConnection

/** How the proxy reaches a service. */
export interface ImageServiceConnection {
  /** Options of the image proxy. */
  proxy: Pick<
    ImageProxyOptions,
    'serviceUrl' | 'key' | 'salt' | 'sourceBaseUrl' | 'fetch' | 'serviceSecret' | 'timeout'
  >
  /** Wraps the proxy, in a cache for instance. Default: the proxy itself. */
  wrap?(proxy: RouteHandler): RouteHandler
}
