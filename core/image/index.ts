export type { Handler, RouteHandler } from '../handler.js'
export type { ImageDescription } from './describe/original.js'
export {
  createImages,
  type ImageService,
  type ImageServiceConnection,
  type ImageSite,
  type Images,
  type ImagesOptions,
  type SourceFolders,
} from './images.js'
export { type ImgproxyOptions, imgproxy } from './imgproxy-service.js'
export {
  createImageLoader,
  type ImageLoader,
  type ImageLoaderOptions,
  type LoaderImage,
} from './loader.js'
export { createImageProxy, type ImageProxyOptions } from './proxy.js'
export type { ImageServiceOptions } from './service.js'
export type { Focus, FocusCrop, FocusFields, FocusPoint } from './shape.js'
export { createSigner, type Signer, type SigningKey } from './sign.js'
export type { Sources } from './sources.js'
export {
  type BackgroundImageOptions,
  backgroundImageSet,
  type ImageLayout,
  type ImageSrcSet,
  type ImageSrcSetOptions,
  imageSrcSet,
} from './srcset.js'
export { decodeSource, defaultWidths, encodeSource } from './url.js'
export type { SourceVersion } from './versions.js'
