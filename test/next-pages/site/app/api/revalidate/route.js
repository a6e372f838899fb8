import { createRevalidateRoute } from 'sitewright/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({ secret: 'between-us' })
