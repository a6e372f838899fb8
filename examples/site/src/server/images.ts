import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createResponseCache, memoryStore, type Store, tieredStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'
import { createImageLoader, createImageProxy, type RouteHandler } from 'sitewright/image'
import { createUpstreamFetch } from 'sitewright/node'
import { createImageService } from 'sitewright/sharp'

const sources = ['/media/']

export const loadImage = createImageLoader({ sources })

export interface ImageFolders {
  /** Where `content` and `media` are. */
  site: string
  /** Where anything may be kept that can be made again. */
  cache: string
}

export interface Images {
  handler: RouteHandler
  /** What answers, in words for the operator. */
  service: string
}

/** The image proxy, in front of the imgproxy that the environment names; of the embedded service when it names none. */
export function createImages(folders: ImageFolders, env = process.env): Images {
  const { IMAGE_PROXY_URL, IMAGE_PROXY_KEY, IMAGE_PROXY_SALT, IMAGE_PROXY_TIMEOUT, SOURCE_BASE_URL } = env
  if (!IMAGE_PROXY_URL && !IMAGE_PROXY_KEY && !IMAGE_PROXY_SALT) return createEmbeddedImages(folders)
  const directory = join(folders.cache, 'proxied')
  // imgproxy keeps nothing of what it makes.
  const cache = createResponseCache({ store: keepIn(directory), tagIndex: diskTagIndex({ directory }) })
  // What is missing stays missing: the proxy then answers that it is not configured, and logs what it lacks.
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
  const secret = { key: randomBytes(32).toString('hex'), salt: randomBytes(32).toString('hex') }
  const directory = join(cache, 'images')
  const service = createImageService({
    keys: [secret],
    sources: { '/media/': join(site, 'media') },
    cache: keepIn(directory),
  })
  return {
    // The service is a function in this process: of its URL only the path counts.
    handler: createImageProxy({ serviceUrl: 'http://images.invalid', ...secret, sources, fetch: service }),
    service: `embedded service, cache in ${directory}`,
  }
}

/** Pictures in memory, and more of them on the disk. */
function keepIn(directory: string): Store {
  return tieredStore([memoryStore({ maxBytes: 32 * 1024 ** 2 }), diskStore({ directory, maxBytes: 1024 ** 3 })])
}
