import { createRevalidateRoute } from 'sitewright/next'
import { shared } from '../../../redis.js'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: 'between-us',
  tagIndex: shared.tagIndex,
})
