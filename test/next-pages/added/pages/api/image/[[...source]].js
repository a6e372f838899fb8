import { nextApiRoute } from 'sitewright/next-pages'
import { images } from '../../../images'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default nextApiRoute(images.handler)
