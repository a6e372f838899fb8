export default {
  experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false },
}
