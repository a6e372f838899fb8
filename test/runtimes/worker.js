// The site on workerd, the runtime of Cloudflare Workers.
// @ts-expect-error: a module of workerd itself
import { waitUntil } from 'cloudflare:workers'
import { onePixel } from './picture.js'
import { createSite } from './site.js'

const site = createSite({ images: onePixel, waitUntil })

export default { fetch: site.fetch }
