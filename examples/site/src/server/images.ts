import { join } from 'node:path'
import { memoryStore, type TagIndex, tieredStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'
import { type CreateImageService, createImageLoader, type ImagesOptions } from 'sitewright/image'
import { imgproxy } from 'sitewright/imgproxy'
import { createUpstreamFetch } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

export const loadImage = createImageLoader({ sources: ['/media/'] })

export interface ImageFolders {
  /** Folder of `content` and `media`. */
  site: string
  /** Folder for caches. */
  cache: string
}

/** Returns the embedded service, whose social cards have the site's font, colors and mark. */
function createEmbedded(folder: string): CreateImageService {
  return sharpService({
    card: {
      font: { family: 'Newsreader SemiBold', file: join(folder, 'newsreader-semibold.ttf') },
      colors: { text: '#f6f1e6', shade: '#16120e' },
      mark: join(folder, 'mark.png'),
    },
  })
}

const isEmbedded = (env: NodeJS.ProcessEnv) => !env.IMAGE_PROXY_URL && !env.IMAGE_PROXY_KEY && !env.IMAGE_PROXY_SALT
/** Whether articles have social cards: imgproxy draws none. */
export const hasCards = (env = process.env) => isEmbedded(env) && Boolean(env.CARD_SECRET)
const cacheFolder = (folders: ImageFolders, env: NodeJS.ProcessEnv) =>
  join(folders.cache, isEmbedded(env) ? 'images' : 'proxied')

/**
 * Returns the options of the site's images. The imgproxy that the environment names renders them, else the embedded
 * service.
 *
 * @param tagIndex Index of the images purged on any server. Default: an index of this machine's purges.
 */
export function imageOptions(folders: ImageFolders, env = process.env, tagIndex?: TagIndex): ImagesOptions {
  const directory = cacheFolder(folders, env)
  return {
    sources: { '/media/': join(folders.site, 'media') },
    service: isEmbedded(env) ? createEmbedded(join(folders.site, 'card')) : imgproxyOf(env),
    secret: hasCards(env) ? env.CARD_SECRET : undefined,
    cache: tieredStore([memoryStore({ maxBytes: 32 * 1024 ** 2 }), diskStore({ directory, maxBytes: 1024 ** 3 })]),
    tagIndex: tagIndex ?? diskTagIndex({ directory }),
  }
}

// Without one of the variables, the proxy responds that it is not configured, and logs which one is missing.
function imgproxyOf(env: NodeJS.ProcessEnv): CreateImageService {
  return imgproxy({
    serviceUrl: env.IMAGE_PROXY_URL,
    key: env.IMAGE_PROXY_KEY,
    salt: env.IMAGE_PROXY_SALT,
    sourceBaseUrl: env.SOURCE_BASE_URL || 'local://',
    timeout: env.IMAGE_PROXY_TIMEOUT ? Number(env.IMAGE_PROXY_TIMEOUT) : undefined,
    fetch: createUpstreamFetch(),
  })
}

/** Returns which image service the site uses, for the start message. */
export function describeImages(folders: ImageFolders, env = process.env): string {
  if (isEmbedded(env)) return `embedded service, cache in ${cacheFolder(folders, env)}`
  return env.IMAGE_PROXY_URL ? `imgproxy at ${env.IMAGE_PROXY_URL}` : 'not configured: IMAGE_PROXY_URL is missing'
}
