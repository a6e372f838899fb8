export { BreakpointsPage, type BreakpointsPageProps } from './breakpoints-page.js'
export { ColorPage, type ColorPageProps } from './color-page.js'
export { type ComponentPageOptions, type ComponentVariant, componentPage } from './component-page.js'
export { ImagesPage, type ImagesPageProps } from './images-page.js'
export type { StyleguideLabels } from './labels.js'
export { SpacingPage, type SpacingPageProps } from './spacing-page.js'
export {
  type StyleguideContent,
  type StyleguideContentProps,
  StyleguidePage,
  type StyleguidePageProps,
  type StyleguideTree,
} from './styleguide-page.js'
export { TypographyPage, type TypographyPageProps } from './typography-page.js'
