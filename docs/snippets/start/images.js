import { memoryTagIndex } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

export const tagIndex = memoryTagIndex() // what was purged: one for pages and images

export const images = createImages({
  sources: { '/media/': './media' },
  service: sharpService(),
  tagIndex,
})
