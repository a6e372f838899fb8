export { packageFiles } from '../node/package-files.js'
export {
  createRevalidateRoute,
  type RevalidateProfile,
  type RevalidateRouteOptions,
  type RevalidateRouteSettings,
} from './revalidate.js'
export { type NextRoute, nextRoute } from './route.js'
export { createLanguageProxy, type LanguageProxy, languageAlternates, languageParams } from './routes.js'
export {
  createStyleguideMetadata,
  createStyleguidePage,
  type StyleguideMetadata,
  type StyleguideMetadataOptions,
  type StyleguidePageOptions,
  type StyleguideRouteProps,
} from './styleguide.js'
