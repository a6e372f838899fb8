// The tree must not import next/image or next/link, which a route handler cannot load.
import { nextRoute } from 'sitewright/next'
import { createStyleguideRoute } from 'sitewright/styleguide'

const tree = { title: 'Styleguide' }
const route = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: () => new Response(null, { status: 404 }),
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(route)
