export type { RouteHandler } from '../handler.js'
export { breakpointsFromTailwind3, breakpointsFromTailwindTheme } from './breakpoints.js'
export { paintOf, type StyleColor } from './color.js'
export { findSlugConflicts, type SlugConflict } from './conflicts.js'
export { type ColorFacts, type Contrast, contrastOf, describeColor } from './contrast.js'
export { type CssVariablesOptions, fromCssVariables } from './css-variables.js'
export { fromDesignTokens } from './design-tokens.js'
export type { DesignValue, FontSize, Typography } from './design-value.js'
export { findPage, type Slug, type StyleguideMatch } from './find.js'
export { type ColorGroup, groupColors } from './groups.js'
export {
  type TypographyNames,
  typographyFromCssVariables,
  typographyFromTailwindTheme,
} from './property-typography.js'
export { createStyleguideRoute, type StyleguideRouteOptions, type StyleguideView } from './route.js'
export { slugify } from './slugify.js'
export { fromTailwindTheme, type LoadedTailwindTheme, type TailwindTheme } from './tailwind-theme.js'
export { fromTailwind3 } from './tailwind3.js'
export type { Tailwind3Config } from './tailwind3-config.js'
export { typographyFromTailwind3 } from './tailwind3-typography.js'
export type { DesignTokensOptions } from './token-document.js'
export { typographyFromDesignTokens } from './token-typography.js'
export { pageHref, type StyleguideNode, trailHrefs } from './tree.js'
