import { createImageLoader, nextImageLoader } from 'sitewright/next-image'

export default nextImageLoader(createImageLoader({ sources: ['/media/'] }))
