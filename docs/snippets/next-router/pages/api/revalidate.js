import { createRevalidateApi } from 'sitewright/next-pages'
import { images } from '../../images.js'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default createRevalidateApi({
  secret: process.env.REVALIDATE_SECRET,
  images,
  paths: () => ['/', '/about'], // or the pages that your CMS lists
})
