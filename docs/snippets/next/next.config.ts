import type { NextConfig } from 'next'

export default {
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
} satisfies NextConfig
