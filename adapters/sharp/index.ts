export type { ImageServiceEvent } from './events.js'
export type { ImageServiceOptions, Isolation } from './options.js'
export { createImageService } from './service.js'
export type { QualityByFormat } from './transforms/encoders.js'
