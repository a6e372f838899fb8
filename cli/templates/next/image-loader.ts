import { createImageLoader } from 'sitewright/image'

// For `next/image`. It runs in browsers, too, so it has the prefixes of `images` without their folders.
export default createImageLoader({ sources: ['/media/'] })
