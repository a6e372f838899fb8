import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const sources = { '/media/': './media' }

/** The site's images. For several machines, use `imgproxy({ serviceUrl, key, salt })` in place of `sharpService()`. */
export const images = createImages({ prefix: '/api/image', sources, service: sharpService() })
