export type { RouteHandler } from '../handler.js'
export { type BreakpointRange, type BreakpointRanges, breakpointRanges } from './breakpoint-ranges.js'
export { breakpointsFromTailwind3, breakpointsFromTailwindTheme } from './breakpoints.js'
export { paintOf, type StyleColor } from './color.js'
export { findSlugConflicts, type SlugConflict } from './conflicts.js'
export { type ColorFacts, contrastOf, describeColor } from './contrast.js'
export { type CssVariablesOptions, fromCssVariables } from './css-variables.js'
export { fromDesignTokens } from './design-tokens.js'
export type { DesignValue, FontSize, Typography } from './design-value.js'
export { findPage, type Slug, type StyleguideMatch } from './find.js'
export { formatBytes } from './format-bytes.js'
export { type ColorGroup, groupColors } from './groups.js'
export type { ImageSize } from './image-size.js'
export { type SchemeColor, schemeColors } from './light-dark.js'
export { lineLength } from './line-length.js'
export {
  type ImageDelivery,
  type MeasuredImage,
  type MeasureImagesOptions,
  measureImages,
} from './measure-images.js'
export { neighborsOf, type PageLink, type PageNeighbors } from './neighbors.js'
export { formatPixels, pixelsOf } from './pixels.js'
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
export { listedPages, pageHref, type StyleguideNode, trailHrefs } from './tree.js'
export type { Contrast } from './wcag.js'
