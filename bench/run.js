import { benchCache } from './cache.js'
import { benchImages } from './images.js'
import { benchStyleguide } from './styleguide.js'
import { benchUrls } from './urls.js'

console.log(
  'Medians of rounds taken turn about in one process; the ratio is to the first line. Lower is better, unless said.',
)
await benchUrls()
await benchStyleguide()
await benchCache()
await benchImages()
