import { createImageLoader, nextImageLoader } from 'sitewright/next-image'

// For `next/image`. It runs in browsers, too, so it has the prefixes of `images`, but not their folders.
export default nextImageLoader(createImageLoader({ prefix: '/api/image', sources: ['/media/'] }))
