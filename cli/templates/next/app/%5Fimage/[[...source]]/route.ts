import { nextRoute } from 'sitewright/next'
import { images } from '../../../images'

// The folder is `%5Fimage`, since Next.js never routes one whose name begins with `_`.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(images.handler)
