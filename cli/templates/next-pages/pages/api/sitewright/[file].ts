import { packageFiles } from 'sitewright/next'
import { nextApiRoute } from 'sitewright/next-pages'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default nextApiRoute(packageFiles({ prefix: '/api/sitewright' }))
