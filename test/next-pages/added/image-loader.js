import { createImageLoader, nextImageLoader } from 'sitewright/next-image'

export default nextImageLoader(createImageLoader({ prefix: '/shop/api/image', sources: ['/shop/media/'] }))
