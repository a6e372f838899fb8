import { memoryTagIndex } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

/** What was purged: one for pages and images. Several machines: `redisTagIndex({ client })`. */
export const tagIndex = memoryTagIndex()

/** The site's images. Several machines: `imgproxy({ serviceUrl, key, salt })` in place of `sharpService()`. */
export const images = createImages({ sources: { '/media/': './media' }, service: sharpService(), tagIndex })
