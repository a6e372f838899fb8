// A site that was there before: what it asks of Next.js comes from the test.
const { external, contentlayer, ...config } = JSON.parse(process.env.SITE_CONFIG ?? '{}')

export default {
  ...config,
  images: { loader: 'custom', loaderFile: './image-loader.js' },
  experimental: { cpus: 1 },
  ...(external && { serverExternalPackages: ['sitewright'] }),
  ...(contentlayer && {
    webpack(webpackConfig) {
      // The rule of next-contentlayer.
      const rule = { test: /\.m?js$/, type: 'javascript/auto', resolve: { fullySpecified: false } }
      webpackConfig.module.rules.push(rule)
      return webpackConfig
    },
  }),
}
