import { qualities } from '../qualities.js'

/** Next.js' own optimizer, allowed to answer with AVIF as the others do, in each quality that is compared. */
export default {
  images: { formats: ['image/avif', 'image/webp'], qualities: qualities.next, minimumCacheTTL: 31536000 },
}
