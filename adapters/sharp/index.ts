export type { Isolation, SharpServiceOptions } from './options.js'
export { sharpService } from './service.js'
export type { QualityByFormat } from './transforms/encoders.js'
export type { CardFont, CardLook } from './transforms/task.js'
