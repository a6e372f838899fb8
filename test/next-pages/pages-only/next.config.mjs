export default {
  basePath: '/shop',
  trailingSlash: true,
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  images: { loader: 'custom', loaderFile: './image-loader.js' },
  experimental: { cpus: 1 },
}
