import { join } from 'node:path'
import { readRedisUrl } from '@sitewright/example-site/serve/redis-url'
import type { NextConfig } from 'next'

// Several instances share rendered pages and purges.
const sharedCache = { cacheHandler: join(process.cwd(), 'cache-handler.js'), cacheMaxMemorySize: 0 }

export default {
  // The package `@sitewright/example-site` is TypeScript source.
  transpilePackages: ['@sitewright/example-site'],
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  headers: async () => [{ source: '/styleguide/:path*', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] }],
  poweredByHeader: false,
  ...(readRedisUrl(process.env) && sharedCache),
} satisfies NextConfig
