import { createRevalidateRoute } from 'sitewright/next'
import { images } from '../../../images'

// Purges what has the tag `document`, as `cacheTag('document')` gives it; with `?path=/media/cat.jpg`, that picture.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  images,
})
