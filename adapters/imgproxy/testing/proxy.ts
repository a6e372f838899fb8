import { createImages, type ImagesOptions, type RouteHandler } from '../../../core/image/index.js'
import { type ImgproxyOptions, imgproxy } from '../service.js'

export interface ImageProxyOptions
  extends Omit<ImagesOptions, 'service' | 'cache'>,
    Partial<Omit<ImgproxyOptions, 'cache'>> {}

/** Creates an image proxy without a cache in front of imgproxy. Paths stay as they are, unless a test says otherwise. */
export function createImageProxy({
  serviceUrl,
  key,
  salt,
  sourceBaseUrl = '',
  serviceSecret,
  timeout,
  fetch,
  ...options
}: ImageProxyOptions): RouteHandler {
  const service = imgproxy({ serviceUrl, key, salt, sourceBaseUrl, serviceSecret, timeout, fetch, cache: false })
  return createImages({ ...options, service }).handler
}
