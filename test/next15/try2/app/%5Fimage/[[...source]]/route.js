import { nextRoute } from 'sitewright/next'
import { images } from '../../../images'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(images.handler)
