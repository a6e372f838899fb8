import { createRevalidateRoute } from 'sitewright/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: process.env.REVALIDATE_SECRET,
  tagIndex: process.env.REDIS_URL ? (await import('../../../redis.js')).tagIndex : undefined,
})
