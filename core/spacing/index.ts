export type { DefaultBreakpoint, DefaultSize, SpacingScale } from './scale.js'
export {
  createSplitSpacing,
  type SpacingProps,
  type SpacingSize,
  type SplitProps,
  type SplitSpacing,
  type SplitSpacingOptions,
  splitSpacing,
} from './split.js'
export { type SpacingStylesheetOptions, spacingStylesheet } from './stylesheet.js'
