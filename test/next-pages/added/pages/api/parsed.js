import { nextApiRoute } from 'sitewright/next-pages'

// Without `config`, so Next.js parses bodies.
export default nextApiRoute(async (request) => new Response(await request.text()))
