import { nextApiRoute } from 'sitewright/next-pages'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { tagIndex } from '../../cache.mjs'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default nextApiRoute(
  createRevalidateEndpoint({
    path: '/api/purge',
    secret: process.env.REVALIDATE_SECRET,
    invalidate: (tags) => tagIndex.purge(tags, 'hard'),
  }),
)
