import 'sitewright/placeholder.css'
import { createImageComponent } from 'sitewright/react/image'
import { images } from '../../images'

const Image = createImageComponent(images.loader)

// A page without dynamic parts is rendered by `next build`, so its images are described at build time.
export default async function Photos() {
  return (
    <Image {...(await images.describe('/media/black-canyon.jpg'))} alt="The Black Canyon" />
  )
}
