import type { NextConfig } from 'next'

export default {
  // The site is TypeScript, as its authors wrote it.
  transpilePackages: ['example-site'],
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  headers: async () => [{ source: '/styleguide/:path*', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] }],
  poweredByHeader: false,
} satisfies NextConfig
