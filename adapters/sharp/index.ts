export type { ImageServiceOptions, Isolation } from './options.js'
export { createImageService, type EmbeddedImageService, type SharpServiceOptions, sharpService } from './service.js'
export type { QualityByFormat } from './transforms/encoders.js'
