import { packageFiles } from 'sitewright/next'
import { nextApiRoute } from 'sitewright/next-pages'

export const config = { api: { bodyParser: false, externalResolver: true } }

/** The colors and fonts of the styleguide's own frame. */
const theme = `:root {
  /* --sw-bg: white; --sw-text: black; --sw-accent: blue; --sw-sans: sans-serif; */
}`

const files = packageFiles({ prefix: '/api/sitewright' })

export default nextApiRoute(async (request) => {
  if (!new URL(request.url).pathname.endsWith('/theme.css')) return files(request)
  return new Response(theme, { headers: { 'Content-Type': 'text/css; charset=utf-8' } })
})
