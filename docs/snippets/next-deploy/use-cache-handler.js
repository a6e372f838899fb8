import { createUseCacheHandler } from 'sitewright/next-cache'
import { store, tagIndex } from './shared-cache.js'

export default createUseCacheHandler({ store, tagIndex })
