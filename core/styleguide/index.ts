export type { RouteHandler } from '../handler.js'
export { type ColorInfo, describeColor, getContrast } from './colors/contrast.js'
export { type ColorGroup, groupColors } from './colors/groups.js'
export { type SchemeColor, schemeColors } from './colors/light-dark.js'
export { type StyleColor, svgFill } from './colors/style-color.js'
export type { Contrast } from './colors/wcag.js'
export { formatBytes } from './images/format-bytes.js'
export type { ImageSize } from './images/image-size.js'
export {
  type ImageDelivery,
  type MeasuredImage,
  type MeasureImagesOptions,
  measureImages,
} from './images/measure-images.js'
export { breakpointsFromTailwind3, breakpointsFromTailwindTheme } from './readers/breakpoints.js'
export { type CssVariablesOptions, fromCssVariables } from './readers/css/colors.js'
export {
  type TypographyNames,
  typographyFromCssVariables,
} from './readers/css/typography.js'
export { fromDesignTokens } from './readers/design-tokens/colors.js'
export type { DesignTokensOptions } from './readers/design-tokens/document.js'
export { typographyFromDesignTokens } from './readers/design-tokens/typography.js'
export { fromTailwindTheme } from './readers/tailwind-theme/colors.js'
export type { LoadedTailwindTheme, TailwindTheme } from './readers/tailwind-theme/theme.js'
export { typographyFromTailwindTheme } from './readers/tailwind-theme/typography.js'
export { fromTailwind3, type Tailwind3Options } from './readers/tailwind3/colors.js'
export type { Tailwind3Config } from './readers/tailwind3/config.js'
export { typographyFromTailwind3 } from './readers/tailwind3/typography.js'
export { createStyleguideRoute, type StyleguideRouteOptions, type StyleguideView } from './route.js'
export { findPage, type Slug, type StyleguideMatch } from './tree/find.js'
export { getNeighbors, type PageLink, type PageNeighbors } from './tree/neighbors.js'
export { findSlugConflicts, type SlugConflict } from './tree/slug-conflicts.js'
export { slugify } from './tree/slugify.js'
export { listedPages, pageHref, type StyleguideNode, trailHrefs } from './tree/tree.js'
export { type BreakpointRange, type BreakpointRanges, breakpointRanges } from './values/breakpoint-ranges.js'
export type { DesignValue, FontSize, Typography } from './values/design-value.js'
export { lineHeightToLength } from './values/line-height.js'
export { formatPixels, toPixels } from './values/pixels.js'
