export { createSpacing, Spacing, type SpacingComponent, type SpacingComponentProps } from './spacing.js'
