import { createRevalidateRoute } from 'sitewright/next'
import { tagIndex } from '../../../shared-cache.js'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  tagIndex,
})
