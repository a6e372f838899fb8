export { packageFiles } from '../node/package-files.js'
export {
  createRevalidateRoute,
  type RevalidateProfile,
  type RevalidateRouteOptions,
  type RevalidateRouteSettings,
} from './revalidate.js'
export { type NextRoute, nextRoute } from './route.js'
export { createLanguageProxy, type LanguageProxy } from './routes.js'
export {
  createStyleguidePage,
  type StyleguideMetadata,
  type StyleguidePageOptions,
  type StyleguideRoute,
  type StyleguideRouteProps,
} from './styleguide.js'
