import { join } from 'node:path'

const useCacheHandler = join(import.meta.dirname, 'use-cache-handler.js')

export default {
  cacheComponents: true,
  partialPrefetching: true,
  cacheHandler: join(import.meta.dirname, 'cache-handler.js'),
  cacheHandlers: { default: useCacheHandler, remote: useCacheHandler },
  cacheMaxMemorySize: 0,
}
