export { type LocalizedFunction, localizedMetadata, localizedPage } from './localize.js'
