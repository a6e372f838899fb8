import type { NextConfig } from 'next'

export default {
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  rewrites: async () => [
    { source: '/sitemap.xml', destination: '/api/sitemap' },
    // A translated path: the address of the table, served by the page.
    { source: '/de/ueber-uns', destination: '/de/about', locale: false },
  ],
} satisfies NextConfig
