import { join } from 'node:path'
import { readRedisUrl } from '@sitewright/example-site/serve/redis-url'
import type { NextConfig } from 'next'

readRedisUrl(process.env) // throws when it is malformed

export default {
  // The package `@sitewright/example-site` is TypeScript source.
  transpilePackages: ['@sitewright/example-site'],
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
  headers: async () => [{ source: '/styleguide/:path*', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] }],
  // Otherwise Next.js takes a rewrite for one to another host, and the proxy for a loop, where HOST is 127.0.0.1.
  skipProxyUrlNormalize: true,
  poweredByHeader: false,
  cacheHandler: join(process.cwd(), 'cache-handler.js'),
  cacheMaxMemorySize: 0,
} satisfies NextConfig
