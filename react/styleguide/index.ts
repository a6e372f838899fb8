export { ColorPage, type ColorPageProps } from './color-page.js'
export {
  type StyleguideContent,
  type StyleguideContentProps,
  type StyleguideLabels,
  StyleguidePage,
  type StyleguidePageProps,
  type StyleguideTree,
} from './styleguide-page.js'
