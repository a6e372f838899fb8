import { images, revalidate } from '../site.js'
import { page } from './page.js'

export default {
  fetch: async (request) => (await images.handler(request)) ?? (await revalidate(request)) ?? (await page(request)),
}
