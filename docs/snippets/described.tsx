import { createImages } from 'sitewright/image'
import { createImageComponent } from 'sitewright/react/image'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const Image = createImageComponent(images.loader)

// With React Server Components. Elsewhere, call `images.describe` before rendering.
export async function Photo({ src, alt }: { src: string; alt: string }) {
  return <Image {...(await images.describe(src))} alt={alt} />
}
