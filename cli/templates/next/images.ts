import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

/** The site's images. For several machines, use `imgproxy({ serviceUrl, key, salt })` in place of `sharpService()`. */
export const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
