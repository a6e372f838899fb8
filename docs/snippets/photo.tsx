import { createImageLoader } from 'sitewright/image'
import { createImageComponent } from 'sitewright/react/image'

/** The site's own `<Image>`. With this loader, it may run in the browser, too. */
export const Image = createImageComponent(createImageLoader({ sources: ['/media/'] }))

export const Lead = () => (
  <Image
    src="/media/black-canyon.jpg"
    alt="The Black Canyon"
    width={960}
    height={703}
    sizes="(min-width: 60rem) 960px, 100vw"
    priority
  />
)
