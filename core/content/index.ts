export { type ContentReads, type ContentTags, type ContentTagsOptions, createContentTags } from './content-tags.js'
export type { RenderContext } from './reads.js'
export type { ContentAnswer, ContentSource } from './source.js'
