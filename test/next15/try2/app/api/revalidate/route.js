import { createRevalidateRoute } from 'sitewright/next'
import { images } from '../../../images'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  images,
})
