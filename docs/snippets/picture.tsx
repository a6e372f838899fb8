import { backgroundImageSet, createImageLoader } from 'sitewright/image'
import { imageProps, Picture } from 'sitewright/react/image'

const loader = createImageLoader({ sources: ['/media/'] })

export const Hero = () => (
  <Picture
    loader={loader}
    src="/media/canyon.jpg"
    alt="A canyon"
    layout="full-width"
    ratio="16:9"
    priority
    sources={[
      { media: '(prefers-color-scheme: dark)', src: '/media/night.jpg' },
      { media: '(max-width: 40rem)', ratio: '1:1', focus: { x: 0.3, y: 0.7 } },
    ]}
  />
)

// An element of your own.
const cat = { loader, src: '/media/cat.jpg', alt: 'A cat', width: 640, ratio: '4:3' }
export const Zoomed = () => <img {...imageProps(cat)} alt={cat.alt} data-zoom="" />

// A rule of your stylesheet.
export const rule = `.hero {
  background: center / cover ${backgroundImageSet({ loader, src: '/media/canyon.jpg', width: 1280, ratio: '16:9' })};
}`
