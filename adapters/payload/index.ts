export { type PayloadContentOptions, payloadContent } from './payload-content.js'
