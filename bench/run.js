import { benchCache } from './cache.js'
import { benchImages } from './images.js'
import { benchStyleguide } from './styleguide.js'
import { benchUrls } from './urls.js'

console.log(
  'Medians of alternating rounds in one process; the ratio is to the first line. Lower is better, unless noted.',
)
await benchUrls()
await benchStyleguide()
await benchCache()
await benchImages()
