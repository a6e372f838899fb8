export type { RouteHandler } from '../handler.js'
export type { Adoption } from './adoption.js'
export type { StyleguideState } from './changes.js'
export type { StyleColor, ValueSource } from './colors/style-color.js'
export {
  type CssVariablesOptions,
  fromCssVariables,
  type TypographyNames,
  type ValueNames,
} from './css/css-variables.js'
export type { StyleguideIndex } from './index-json.js'
export {
  type ImageDelivery,
  type ImageSize,
  type MeasuredImage,
  type MeasureImagesOptions,
  measureImages,
} from './measure-images.js'
export { createStyleguideRoute, type StyleguideRouteOptions, type StyleguideView } from './route.js'
export { fromTailwind3, type Tailwind3Options } from './tailwind3/tailwind3.js'
export { fromDesignTokens } from './tokens/design-tokens.js'
export type { DesignTokensOptions } from './tokens/document.js'
export type { Slug, StyleguideMatch } from './tree/find.js'
export type { ComponentProp, StyleguideComponent, StyleguideNode } from './tree/tree.js'
export type { DesignValue, FontSize, LeftOut, Styles, Typography } from './values.js'
