export {
  type ContentAnswer,
  type ContentReads,
  type ContentSource,
  type ContentTags,
  type ContentTagsOptions,
  createContentTags,
} from './content-tags.js'
export type { RenderContext } from './reads.js'
