export default {
  basePath: '/shop',
  trailingSlash: true,
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  generateBuildId: () => 'site',
  experimental: { cpus: 1 },
}
