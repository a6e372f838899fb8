import { createRevalidateApi } from 'sitewright/next-pages'
import { images } from '../../images'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default createRevalidateApi({
  secret: process.env.REVALIDATE_SECRET,
  images,
  // The pages to render again; with `?path=/about`, only that page.
  paths: () => ['/', '/example'],
})
