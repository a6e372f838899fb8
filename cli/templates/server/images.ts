import { memoryTagIndex } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

/** Records purges. Pages and images share it. For several machines, use `redisTagIndex({ client })`. */
export const tagIndex = memoryTagIndex()

/** The site's images. For several machines, use `imgproxy({ serviceUrl, key, salt })` in place of `sharpService()`. */
export const images = createImages({ sources: { '/media/': './media' }, service: sharpService(), tagIndex })
