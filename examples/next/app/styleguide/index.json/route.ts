import { nextRoute } from 'sitewright/next'
import { createStyleguideRoute } from 'sitewright/styleguide'
import { readTree } from '../../../site/styleguide'

// A route handler can import neither next/image nor next/link. It renders no page, so the tree needs no pictures.
const route = createStyleguideRoute({
  tree: await readTree(() => null),
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: () => new Response(null, { status: 404 }),
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(route)
