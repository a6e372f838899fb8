import { join } from 'node:path'
import { readRedisUrl } from 'example-site/serve/redis-url'
import type { NextConfig } from 'next'

// Several instances share what they render, and what an editor published.
const sharedCache = { cacheHandler: join(process.cwd(), 'cache-handler.js'), cacheMaxMemorySize: 0 }

export default {
  // The site is TypeScript, as its authors wrote it.
  transpilePackages: ['example-site'],
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  headers: async () => [{ source: '/styleguide/:path*', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] }],
  poweredByHeader: false,
  ...(readRedisUrl(process.env) && sharedCache),
} satisfies NextConfig
