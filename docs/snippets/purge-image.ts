import { createImages } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { sharpService } from 'sitewright/sharp'

export const images = createImages({
  sources: { '/media/': './media' },
  service: sharpService(),
})

// From your own code:
export const onUpload = (name: string) => images.invalidate([`/media/${name}`])

// From the CMS: POST /api/revalidate?path=/media/cat.jpg
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  images,
  invalidate: () => {}, // the pages' cache, see above
})
