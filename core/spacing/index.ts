export type { DefaultBreakpoint, DefaultSize, SpacingScale } from './scale.js'
export {
  type SpacingProps,
  type SpacingSize,
  type SplitProps,
  type SplitSpacing,
  splitSpacing,
} from './split.js'
export { type SpacingStylesheetOptions, spacingStylesheet } from './stylesheet.js'
