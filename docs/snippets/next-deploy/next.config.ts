import { join } from 'node:path'
import type { NextConfig } from 'next'

const useCacheHandler = join(process.cwd(), 'use-cache-handler.js')

export default {
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  cacheHandler: join(process.cwd(), 'cache-handler.js'),
  cacheMaxMemorySize: 0,
  cacheComponents: true,
  partialPrefetching: true,
  cacheHandlers: { default: useCacheHandler, remote: useCacheHandler },
  output: 'standalone',
  outputFileTracingIncludes: {
    '/**': [
      './node_modules/sitewright/dist/**/*.js', // the program that decodes images, a process of its own
      './node_modules/sharp/dist/*.mjs', // which it imports
      './node_modules/tailwindcss/{package.json,*.css}', // what the stylesheet of fromTailwind4 imports
      './app/theme.css', // the stylesheet itself
    ],
  },
} satisfies NextConfig
