export default {
  experimental: { cpus: 2, useCache: true, turbopackFileSystemCacheForBuild: false },
}
