export default {
  basePath: '/shop',
  trailingSlash: true,
  serverExternalPackages: ['sitewright'],
  output: 'standalone',
  // As the guide says for `standalone`: the program that decodes images, and what it imports.
  outputFileTracingIncludes: { '/**': ['./node_modules/sitewright/dist/**/*.js', './node_modules/sharp/dist/*.mjs'] },
  experimental: { cpus: 1 },
}
