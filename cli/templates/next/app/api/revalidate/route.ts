import { createRevalidateRoute } from 'sitewright/next'
import { images } from '../../../images'

// Purges everything with the tag `document`, which `cacheTag('document')` sets; with `?path=/media/cat.jpg`, that
// picture.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  images,
})
