import { createRevalidateRoute } from 'sitewright/next'
import { images } from '../../../images'
import { routes } from '../../../routes'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  images,
  routes, // one path purges the page in every language
})
