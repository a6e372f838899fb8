import { createCacheHandler } from 'sitewright/next-cache'
import { store, tagIndex } from './shared-cache.js'

export default createCacheHandler({ store, tagIndex })
