import { createCacheHandler } from 'sitewright/next-cache'
import { store, tagIndex } from './cache.mjs'

export default createCacheHandler({ store, tagIndex })
