import { createCacheHandler } from 'sitewright/next-cache'
import { shared } from './redis.js'

export default createCacheHandler(shared)
