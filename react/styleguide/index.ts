export type { ComponentProp } from '../../core/styleguide/index.js'
export type { StyleguideContent, StyleguideContentProps, StyleguideTree } from './content.js'
export { AdoptionPage, type AdoptionPageProps } from './pages/adoption-page.js'
export { BreakpointsPage, type BreakpointsPageProps } from './pages/breakpoints-page.js'
export { ColorPage, type ColorPageProps } from './pages/color-page.js'
export { type ComponentPageOptions, componentPage } from './pages/component-page.js'
export {
  GradientsPage,
  type GradientsPageProps,
  RadiiPage,
  type RadiiPageProps,
  ShadowsPage,
  type ShadowsPageProps,
} from './pages/effects-page.js'
export { ImagesPage, type ImagesPageProps } from './pages/images-page.js'
export { SpacingPage, type SpacingPageProps } from './pages/spacing-page.js'
export type { TextStyle } from './pages/text-styles.js'
export { TypographyPage, type TypographyPageProps } from './pages/typography-page.js'
export type { ComponentState, ComponentVariant, HtmlSource } from './pages/variant.js'
export type { StyleguideLabels } from './shell/labels.js'
export { StyleguidePage, type StyleguidePageProps } from './shell/styleguide-page.js'
