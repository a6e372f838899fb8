// Shared with the components of react; not part of the public API.
export { type BreakpointDescription, describeSpacing, type SizeDescription } from './classes.js'
export { createSplitSpacing } from './split.js'
