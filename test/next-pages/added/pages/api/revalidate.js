import { createRevalidateApi } from 'sitewright/next-pages'
import { readText } from '../../content'
import { images } from '../../images'

export const config = { api: { bodyParser: false, externalResolver: true } }
export default createRevalidateApi({
  secret: process.env.REVALIDATE_SECRET,
  images,
  paths: async () => ['/', '/de', '/posts/a', '/de/posts/a', ...((await readText()) === 'broken' ? ['/broken'] : [])],
})
