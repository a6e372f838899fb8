import { createUseCacheHandler } from 'sitewright/next-cache'
import { shared } from './redis.js'

export default createUseCacheHandler(shared)
