import { diskStore, diskTagIndex } from 'sitewright/disk'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const directory = '.cache/images'

export const images = createImages({
  sources: { '/media/': './media', 'https://cdn.example.com/photos/': true },
  service: sharpService({ quality: { avif: 60 } }),
  cache: diskStore({ directory, maxBytes: 1024 ** 3 }),
  tagIndex: diskTagIndex({ directory }),
})
