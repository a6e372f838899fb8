import { createRevalidateApi } from 'sitewright/next-pages'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default createRevalidateApi({
  path: '/api/revalidate-pages',
  secret: process.env.REVALIDATE_SECRET,
  paths: () => ['/', '/posts/a'], // or the pages that your CMS lists
})
