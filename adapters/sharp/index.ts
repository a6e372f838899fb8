export type { Qualities } from './encoders.js'
export type { ImageServiceEvent } from './events.js'
export type { ImageServiceOptions } from './options.js'
export { createImageService } from './service.js'
