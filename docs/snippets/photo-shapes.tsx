import { createImageLoader } from 'sitewright/image'
import { createImageComponent } from 'sitewright/react/image'

const sources = ['/media/', 'https://cdn.sanity.io/images/']
const Image = createImageComponent(createImageLoader({ sources }))

/** What Sanity returns. */
interface Portrait {
  url: string
  hotspot?: { x?: number; y?: number; width?: number; height?: number } | null
}

export const Hero = () => (
  <Image
    src="/media/canyon.jpg"
    alt="A canyon"
    layout="full-width"
    ratio="16:9"
    focus="top"
    priority
  />
)

export const Author = ({ portrait, name }: { portrait: Portrait; name: string }) => (
  <Image src={portrait.url} alt={name} width={96} ratio="1:1" focus={portrait.hotspot} />
)
