export {
  type MarkdownContent,
  type MarkdownOptions,
  type MarkdownPage,
  type MarkdownPlugin,
  markdownPage,
} from './markdown-page.js'
export { readStyleguidePages, type StyleguidePagesOptions } from './read-pages.js'
