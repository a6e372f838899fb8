import { join } from 'node:path'
import { memoryStore, type TagIndex, tieredStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'
import { createImageLoader, createImages, type Images, imgproxy } from 'sitewright/image'
import { createUpstreamFetch } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

export const loadImage = createImageLoader({ sources: ['/media/'] })

export interface ImageFolders {
  /** Folder of `content` and `media`. */
  site: string
  /** Folder for caches. */
  cache: string
}

export interface SiteImages extends Images {
  /** Which image service it uses, for the log. */
  service: string
}

/**
 * Creates the site's images, made by the imgproxy of the environment or by the embedded service.
 *
 * @param tagIndex Knows which images were purged, on any server. Default: those of this machine.
 */
export function createSiteImages(folders: ImageFolders, env = process.env, tagIndex?: TagIndex): SiteImages {
  const { IMAGE_PROXY_URL: serviceUrl, IMAGE_PROXY_KEY: key, IMAGE_PROXY_SALT: salt, IMAGE_PROXY_TIMEOUT } = env
  const isEmbedded = !serviceUrl && !key && !salt
  const directory = join(folders.cache, isEmbedded ? 'images' : 'proxied')
  const images = createImages({
    sources: { '/media/': join(folders.site, 'media') },
    service: isEmbedded
      ? sharpService()
      : // Without one of the variables, the proxy responds that it is not configured, and logs which one is missing.
        imgproxy({
          serviceUrl,
          key,
          salt,
          sourceBaseUrl: env.SOURCE_BASE_URL || 'local://',
          timeout: IMAGE_PROXY_TIMEOUT ? Number(IMAGE_PROXY_TIMEOUT) : undefined,
          fetch: createUpstreamFetch(),
        }),
    cache: tieredStore([memoryStore({ maxBytes: 32 * 1024 ** 2 }), diskStore({ directory, maxBytes: 1024 ** 3 })]),
    tagIndex: tagIndex ?? diskTagIndex({ directory }),
  })
  const imgproxyState = serviceUrl ? `imgproxy at ${serviceUrl}` : 'not configured: IMAGE_PROXY_URL is missing'
  return { ...images, service: isEmbedded ? `embedded service, cache in ${directory}` : imgproxyState }
}
