export type {
  MarkdownContent,
  MarkdownOptions,
  MarkdownPage,
  MarkdownPlugin,
} from './markdown-page.js'
export { readStyleguidePages, type StyleguidePagesOptions } from './read-pages.js'
