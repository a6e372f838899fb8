import { readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/**
 * How the page of each entry begins: with the functions to know first, and a file of docs/snippets that calls the first of them.
 *
 * @type {Record<string, [file: string, ...functions: string[]]>}
 */
const beginnings = {
  image: ['smallest-node.js', 'createImages', 'createImageLoader', 'imageSrcSet'],
  sharp: ['smallest-express.js', 'sharpService'],
  imgproxy: ['images-imgproxy.ts', 'imgproxy'],
  'react/image': ['photo.tsx', 'createImageComponent', 'Image', 'Picture'],
  cache: ['cache.ts', 'createResponseCache', 'memoryStore', 'withCookies'],
  content: ['content-tags.ts', 'createContentTags'],
  disk: ['disk.ts', 'diskStore', 'diskTagIndex'],
  redis: ['several-machines.ts', 'redisStore', 'redisTagIndex'],
  cdn: ['cdn.ts', 'purgeEverywhere', 'tagResponse', 'fastly'],
  revalidate: ['revalidate.ts', 'createRevalidateEndpoint'],
  metrics: ['metrics.ts', 'createMetrics'],
  preview: ['preview.ts', 'createPreview', 'sharedSecret', 'storyblokPreview'],
  webhooks: ['webhook-content.ts', 'contentSources', 'contentSource', 'verifyContentful'],
  'localized-pages': ['routes.ts', 'createRoutes', 'createSitemap', 'localizedPage'],
  'react/localized-pages': ['routes-page.tsx', 'LanguageSwitch'],
  styleguide: ['start/styleguide.js', 'createStyleguideRoute', 'fromCssVariables', 'fromDesignTokens'],
  'react/styleguide': ['styleguide.tsx', 'StyleguidePage', 'ColorPage', 'componentPage'],
  tailwind: ['styleguide-colors.ts', 'fromTailwind4'],
  mdx: ['styleguide.tsx', 'readStyleguidePages'],
  spacing: ['spacing-own.tsx', 'spacingStylesheet', 'splitSpacing'],
  'react/spacing': ['spacing.tsx', 'Spacing', 'createSpacing'],
  node: ['smallest-node.js', 'nodeListener', 'packageFiles', 'toRequest'],
  express: ['smallest-express.js', 'expressMiddleware', 'inFrontOf'],
  hono: ['smallest-server.js', 'honoMiddleware'],
  next: ['next/app/sitewright/[file]/route.ts', 'nextRoute', 'createRevalidateRoute', 'createStyleguidePage'],
  'next-image': ['next/image-loader.ts', 'nextImageLoader', 'createImageLoader'],
  'next-pages': ['next-router/pages/api/revalidate.js', 'createRevalidateApi', 'nextApiRoute', 'createStyleguideProps'],
  'next-cache': ['next-deploy/cache-handler.js', 'createCacheHandler', 'createUseCacheHandler'],
  payload: ['payload-plugin.ts', 'payloadContent'],
  vite: ['vite-described.ts', 'describedImages', 'sitewright'],
}

/**
 * The page of the guide about an entry.
 *
 * @type {Record<string, string>}
 */
const guides = {
  image: 'images',
  sharp: 'image-service',
  imgproxy: 'imgproxy',
  'react/image': 'images',
  cache: 'response-cache',
  content: 'content-tags',
  disk: 'deployment',
  redis: 'redis',
  cdn: 'deployment',
  revalidate: 'revalidation',
  metrics: 'metrics',
  preview: 'preview',
  webhooks: 'revalidation',
  'localized-pages': 'localized-pages',
  'react/localized-pages': 'localized-pages',
  styleguide: 'styleguide',
  'react/styleguide': 'styleguide',
  tailwind: 'styleguide#colors',
  mdx: 'styleguide#markdown-and-mdx',
  spacing: 'spacing',
  'react/spacing': 'spacing',
  payload: 'content-in-process',
}

/**
 * The entries of the package that have documentation of their own: `sitewright` itself only exports again what others have, and
 * stylesheets and scripts have no types.
 */
export const referenceEntries = Object.entries(exports)
  .map(([name, target]) => ({ name: name.slice(2), target: typeof target === 'string' ? target : target.default }))
  .filter(({ name, target }) => name !== '' && target.endsWith('/index.js'))
  .map(({ name, target }) => {
    const module = target.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')
    const [example = '', ...functions] = beginnings[name] ?? []
    return {
      name: `sitewright/${name}`,
      source: new URL(module, root).pathname,
      folder: module.replace('/index.ts', ''),
      functions,
      guide: guides[name],
      example: `snippets/${example}`,
    }
  })
