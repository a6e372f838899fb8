import { contentFolder } from '@sitewright/example-site/content-folder'
import { createContentTags } from 'sitewright/content'
import { createRevalidateRoute } from 'sitewright/next'
import { images } from '../../../site/images'
import { routes } from '../../../site/routes'

const { REDIS_URL, REVALIDATE_EXPIRE, REVALIDATE_SECRET } = process.env

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRevalidateRoute({
  secret: REVALIDATE_SECRET,
  // A push to the repository of the content purges the pages that show one of its files.
  content: createContentTags({ sources: [contentFolder] }),
  images,
  routes,
  // Seconds for which old pages may still be served; 0 for none.
  profile: REVALIDATE_EXPIRE ? { expire: Number(REVALIDATE_EXPIRE) } : 'max',
  tagIndex: REDIS_URL ? (await import('../../../redis.js')).tagIndex : undefined,
})
