import { isDevelopment } from '../../core/development.js'
import { pathTag } from '../../core/tags.js'
import { listFiles, readText } from './warnings.js'

/**
 * Returns the routes of `pages/` that a purge of the tags should reach, and does not: `revalidateTag` and
 * `revalidatePath` only know the App Router. A path concerns the routes that may serve it; any other tag concerns all
 * routes. Pages without `getStaticProps` do not count, because Next.js does not store them.
 *
 * @param roots Folders that may be the folder of the site.
 * @example unreachedPages(['document']) // ['/', '/posts/[slug]', '/posts/a']
 */
export function unreachedPages(tags: readonly string[], roots = [buildRoot, '.']): string[] {
  const pages = roots.flatMap(isDevelopment() ? readSources : readBuild)
  const routes = new Set(pages.map((page) => pathTag(page.replace(/(?<=\/)index$/, ''))))
  const paths = tags.filter((tag) => tag.startsWith('/'))
  const isConcerned = (route: string) => paths.length < tags.length || paths.some((path) => mayServe(route, path))
  return [...routes].filter((route) => isConcerned(route) && !errorPage.test(route)).sort()
}

// Next.js replaces these variables in the files that it bundles. A standalone server runs in the folder of the site, and
// not where it was built.
const buildRoot = process.env.__NEXT_RELATIVE_PROJECT_DIR || '.'
const buildFolder = process.env.__NEXT_RELATIVE_DIST_DIR || '.next'

// Also the error pages of each language.
const errorPage = /^(?:\/[^/]+)?\/(?:404|500)$/

/**
 * Whether a route may serve a path. A dynamic route may serve each path that contains the route's beginning, because a
 * language may come before it.
 */
function mayServe(route: string, path: string): boolean {
  const [beginning = '', ...parameters] = route.split('[')
  return parameters.length > 0 ? `${path}/`.includes(beginning) : route === path
}

/**
 * Reads the pages of `pages/` that `next build` has prerendered, or that Next.js renders once and stores. Their data has
 * a path such as `/_next/data/{buildId}/posts/[slug].json`, and that of the App Router ends in `.rsc`.
 */
function readBuild(root: string): string[] {
  const manifest = readText(`${root}/${buildFolder}/prerender-manifest.json`)
  const dataRoutes = manifest.matchAll(/"dataRoute":\s*"\/_next\/data\/[^"/]+(\/[^"]+)\.json"/g)
  return Array.from(dataRoutes, ([, page = '']) => page)
}

/** Reads the pages from their sources, because in development the manifest lists only those that were visited. */
function readSources(root: string): string[] {
  const files = ['pages', 'src/pages'].flatMap((folder) => listFiles(root, folder))
  const stored = files.filter((file) => /\.\w+$/.test(file) && readText(`${root}/${file}`).includes('getStaticProps'))
  return stored.map((file) => file.replace(/^(?:src\/)?pages|\.\w+$/g, ''))
}
