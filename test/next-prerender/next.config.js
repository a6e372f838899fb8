import { join } from 'node:path'

export default {
  cacheHandler: join(import.meta.dirname, 'cache-handler.js'),
  cacheMaxMemorySize: 0,
  // Two processes may render at once, and nothing is built a second time.
  experimental: { cpus: 2, turbopackFileSystemCacheForBuild: false },
}
