export default {
  basePath: '/shop',
  trailingSlash: true,
  serverExternalPackages: ['sitewright'],
  output: 'standalone',
  experimental: { cpus: 1 },
}
