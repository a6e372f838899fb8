import { createImageLoader } from 'sitewright/image'
import { nextImageLoader } from 'sitewright/next-image'

export default nextImageLoader(createImageLoader({ sources: ['/media/'] }))
