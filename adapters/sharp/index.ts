export type { ImageServiceEvent } from './events.js'
export type { ImageServiceOptions, Isolation } from './options.js'
export { createImageService, type ImageService } from './service.js'
export type { QualityByFormat } from './transforms/encoders.js'
