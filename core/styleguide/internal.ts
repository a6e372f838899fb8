// Shared with this package's adapters and React components; not public.

export { adoptionTables } from './adoption.js'
export { parseFunction, replaceCalls, splitTopLevel } from './brackets.js'
export { type BreakpointRange, breakpointRanges } from './breakpoints.js'
export { type Change, compareStyleguides, type StyleguideState } from './changes.js'
export { checkStylesheet } from './check-text.js'
export {
  type ColorInfo,
  describeColor,
  describeShift,
  measureOn,
  nearestColorName,
  toSrgb,
} from './colors/color.js'
export { type ColorStrip, groupColors, type Swatch } from './colors/groups.js'
export { arrangeMatrix, type TextMatrix, textOn } from './colors/matrix.js'
export {
  mergeModes,
  type Palette,
  type PaletteColor,
  type Tone,
  valueIn,
  valuesByMode,
} from './colors/modes.js'
export { sharedPrefix } from './colors/names.js'
export { type ColorPair, findGrounds, findPairs, type MeasuredPair, type MeasuredPairs } from './colors/pairs.js'
export { fromChannels, looksLikeColor, type SchemeColor, schemeColors, svgFill } from './colors/style-color.js'
export {
  type Contrast,
  compositeOver,
  contrastRatio,
  hexOf,
  luminance,
  measureContrast,
  type Srgb,
} from './colors/wcag.js'
export { resolveProperties } from './css/properties.js'
export { referencesIn } from './css/resolve.js'
export { readStatements } from './css/statements.js'
export { readStylesheet } from './css/stylesheet.js'
export { parseShadow, type ShadowLayer } from './effects.js'
export { describeStyleguide, indexFile, indexResponse } from './index-json.js'
export { kindByWords, kinds } from './kinds.js'
export { formatLength, lineHeightToLength, pixelsAt } from './lengths.js'
export { formatBytes } from './measure-images.js'
export { nearestTo, type SearchEntry, searchEntries, splitAtWords, wordsOf } from './search.js'
export { fromTailwindTheme, type TailwindTheme } from './tailwind-theme.js'
export { type Measured, nearestToken, readUses, type UseKind, type ValueReader } from './token-uses.js'
export { tokensIn } from './tokens/write-tokens.js'
export { findPage } from './tree/find.js'
export { createUniqueSlugs, slugify } from './tree/slugs.js'
export {
  changesPage,
  checkTree,
  checkTreeSource,
  createTreeReader,
  listedPages,
  pageHref,
  reachablePages,
  searchPage,
  type TreeSource,
  trailHrefs,
  xRayPage,
} from './tree/tree.js'
export { pushTo } from './values.js'
