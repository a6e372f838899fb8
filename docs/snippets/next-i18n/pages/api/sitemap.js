import { createSitemap } from 'sitewright/localized-pages'
import { nextApiRoute } from 'sitewright/next-pages'
import { origin, posts, routes } from '../../routes.js'

const pages = () =>
  ['/', '/about', ...posts.map(({ en }) => `/posts/${en}`)].map((path) => ({ path }))

export const config = { api: { bodyParser: false, externalResolver: true } }
export default nextApiRoute(createSitemap({ routes, origin, pages }))
