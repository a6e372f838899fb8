import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const sources = { '/media/': './public/media' }
export const images = createImages({
  prefix: '/api/image',
  sources,
  service: sharpService(),
})
