export { ColorPage, type ColorPageProps } from './color-page.js'
export type { StyleguideLabels } from './labels.js'
export {
  type StyleguideContent,
  type StyleguideContentProps,
  StyleguidePage,
  type StyleguidePageProps,
  type StyleguideTree,
} from './styleguide-page.js'
