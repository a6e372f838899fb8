import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

export const images = createImages({
  sources: {
    '/media/': './media',
    'https://cdn.example.com/photos/': true,
  },
  service: sharpService(),
})
