export type { ContentAnswer, ContentSource } from './source.js'
