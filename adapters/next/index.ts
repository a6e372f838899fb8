export { packageFiles } from '../node/package-files.js'
export { createMarkdownProxy } from './markdown.js'
export { createPreviewRoute, getPreview } from './preview.js'
export {
  createRevalidateRoute,
  type RevalidateProfile,
  type RevalidateRouteOptions,
  type RevalidateRouteSettings,
} from './revalidate.js'
export { createLanguageProxy, type LanguageProxy, type NextRoute, nextRoute } from './routes.js'
export {
  createStyleguidePage,
  type StyleguideMetadata,
  type StyleguidePageOptions,
  type StyleguideRoute,
  type StyleguideRouteProps,
  type StyleguideRouteView,
} from './styleguide.js'
