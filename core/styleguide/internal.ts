// Shared with this package's adapters and React components; not public.

export { replaceCalls } from './brackets.js'
export { type BreakpointRange, breakpointRanges } from './breakpoints.js'
export { checkStylesheet } from './check-text.js'
export { type ColorInfo, describeColor, isOpaqueColor } from './colors/color.js'
export { type ColorGroup, groupByMode, groupColors } from './colors/groups.js'
export { type SchemeColor, schemeColors, svgFill } from './colors/style-color.js'
export { type Contrast, compositeOver, hexOf, measureContrast, type Srgb } from './colors/wcag.js'
export { readStylesheet } from './css/stylesheet.js'
export { formatPixels, lineHeightToLength } from './lengths.js'
export { formatBytes } from './measure-images.js'
export { fromTailwindTheme, type TailwindTheme } from './tailwind-theme.js'
export { createUniqueSlugs, slugify } from './tree/slugs.js'
export {
  checkTree,
  getNeighbors,
  listedPages,
  type PageLink,
  type PageNeighbors,
  pageHref,
  trailHrefs,
} from './tree/tree.js'
