// Shared with the styleguide's components; not part of the public API.
export { type BreakpointDescription, describeSpacing, type SizeDescription } from './describe-spacing.js'
