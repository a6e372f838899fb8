import { nextRoute } from 'sitewright/next'
import { images } from '../../../images'

// The folder is `%5Fimage`, because Next.js never routes a folder whose name begins with `_`.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(images.handler)
