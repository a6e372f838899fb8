import type { NextConfig } from 'next'

export default {
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  output: 'standalone',
  outputFileTracingIncludes: {
    '/**': ['./node_modules/sitewright/dist/**/*.js', './node_modules/sharp/dist/*.mjs'],
  },
} satisfies NextConfig
