import { createImageLoader } from 'sitewright/image'
import { Image, type ImageProps } from 'sitewright/react/image'

const loader = createImageLoader({ sources: ['/media/'] })

/** The site's images: `Image` bound to its sources. */
export const Photo = (props: Omit<ImageProps, 'loader'>) => <Image loader={loader} {...props} />

export const Lead = () => (
  <Photo
    src="/media/black-canyon.jpg"
    alt="The Black Canyon"
    width={960}
    height={703}
    sizes="(min-width: 60rem) 960px, 100vw"
    priority
  />
)
