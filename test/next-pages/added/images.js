import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

export const images = createImages({
  prefix: '/api/image',
  sources: { '/shop/media/': './public/media' },
  service: sharpService(),
})
