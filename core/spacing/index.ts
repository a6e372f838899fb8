export {
  type BreakpointDescription,
  describeSpacing,
  type SizeDescription,
  type SpacingDescription,
} from './describe-spacing.js'
export type { SpacingProps, SpacingSize, SplitProps, SplitSpacing } from './props.js'
export {
  type DefaultBreakpoint,
  type DefaultSize,
  defaultBreakpoints,
  defaultSizes,
  type SpacingScale,
} from './scale.js'
export { createSplitSpacing, type SplitSpacingOptions, splitSpacing } from './split.js'
export { type SpacingStylesheetOptions, spacingStylesheet } from './stylesheet.js'
