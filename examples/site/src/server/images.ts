import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createResponseCache, memoryStore, type Store, tieredStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'
import { createImageLoader, createImageProxy, imageFormats, type RouteHandler } from 'sitewright/image'
import { createUpstreamFetch } from 'sitewright/node'
import { createImageService } from 'sitewright/sharp'

const sources = ['/media/']

export const loadImage = createImageLoader({ sources })

export interface ImageFolders {
  /** Folder of `content` and `media`. */
  site: string
  /** Folder for caches. */
  cache: string
}

export interface Images {
  handler: RouteHandler
  /** Which image service it uses, for the log. */
  service: string
}

/** Creates the image proxy, in front of the imgproxy of the environment or of the embedded service. */
export function createImages(folders: ImageFolders, env = process.env): Images {
  const { IMAGE_PROXY_URL, IMAGE_PROXY_KEY, IMAGE_PROXY_SALT, IMAGE_PROXY_TIMEOUT, SOURCE_BASE_URL } = env
  if (!IMAGE_PROXY_URL && !IMAGE_PROXY_KEY && !IMAGE_PROXY_SALT) return createEmbeddedImages(folders)
  const directory = join(folders.cache, 'proxied')
  // imgproxy has no cache.
  const cache = createResponseCache({
    store: createStore(directory),
    tagIndex: diskTagIndex({ directory }),
    imageFormats,
  })
  // Without one of the variables, the proxy responds that it is not configured, and logs which one is missing.
  const proxy = createImageProxy({
    serviceUrl: IMAGE_PROXY_URL,
    key: IMAGE_PROXY_KEY,
    salt: IMAGE_PROXY_SALT,
    sourceBaseUrl: SOURCE_BASE_URL || 'local://',
    sources,
    timeout: IMAGE_PROXY_TIMEOUT ? Number(IMAGE_PROXY_TIMEOUT) : undefined,
    fetch: createUpstreamFetch(),
  })
  return {
    handler: cache.wrap(proxy),
    service: IMAGE_PROXY_URL ? `imgproxy at ${IMAGE_PROXY_URL}` : 'not configured: IMAGE_PROXY_URL is missing',
  }
}

function createEmbeddedImages({ site, cache }: ImageFolders): Images {
  const signingKey = { key: randomBytes(32).toString('hex'), salt: randomBytes(32).toString('hex') }
  const directory = join(cache, 'images')
  const service = createImageService({
    keys: [signingKey],
    sources: { '/media/': join(site, 'media') },
    cache: createStore(directory),
  })
  return {
    // The service is a function in this process: only the path of its URL matters.
    handler: createImageProxy({ serviceUrl: 'http://images.invalid', ...signingKey, sources, fetch: service }),
    service: `embedded service, cache in ${directory}`,
  }
}

/** Creates a store in memory, with more space on disk. */
function createStore(directory: string): Store {
  return tieredStore([memoryStore({ maxBytes: 32 * 1024 ** 2 }), diskStore({ directory, maxBytes: 1024 ** 3 })])
}
