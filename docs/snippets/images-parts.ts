import { createImageLoader, createImageProxy } from 'sitewright/image'
import { createImageService } from 'sitewright/sharp'

const { OLD_KEY = '', OLD_SALT = '', NEW_KEY = '', NEW_SALT = '' } = process.env
const sources = ['/media/']
const keys = [
  { key: NEW_KEY, salt: NEW_SALT },
  { key: OLD_KEY, salt: OLD_SALT }, // still verified, until no proxy signs with it any more
]

/** On its own port, or on a machine of its own. */
export const service = createImageService({ keys, sources: { '/media/': './media' } })

/** In the site. */
export const proxy = createImageProxy({
  serviceUrl: 'http://images.internal',
  key: NEW_KEY,
  salt: NEW_SALT,
  sources,
})
export const loader = createImageLoader({ sources })
