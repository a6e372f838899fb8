export type { Handler, RouteHandler } from '../handler.js'
export { type CardMeta, type CardOptions, cardMeta } from './card.js'
export type { ImageDescription, OriginalInfo } from './describe/original.js'
export { createImages, type Images, type ImagesOptions } from './images.js'
export {
  createImageLoader,
  type ImageLoader,
  type ImageLoaderOptions,
  type LoaderImage,
} from './loader.js'
export type {
  CardText,
  CreateImageService,
  ImageClient,
  ImageRequest,
  ImageResult,
  ImageService,
  ImageSite,
  ServedImage,
  ServiceFailure,
  SourceFolders,
} from './service.js'
export type { Focus, FocusCrop, FocusFields, FocusPoint } from './shape.js'
export type { Sources } from './sources.js'
export {
  type BackgroundImageOptions,
  backgroundImageSet,
  type ImageLayout,
  type ImageSrcSet,
  type ImageSrcSetOptions,
  imageSrcSet,
} from './srcset.js'
export type { SourceVersion } from './versions.js'
