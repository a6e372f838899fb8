export default {
  cacheComponents: true,
  experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false },
}
