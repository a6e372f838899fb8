import { notFound } from 'next/navigation.js'
import { connection } from 'next/server.js'
import { isDevelopment } from '../../core/development.js'
import { checkBoolean, checkFunction, checkKnownOptions, type OptionChecks, required } from '../../core/options.js'
import type { Slug, StyleguideMatch, StyleguideNode } from '../../core/styleguide/index.js'
import { checkTreeSource, createTreeReader, findPage, type TreeSource } from '../../core/styleguide/internal.js'
import { warnAboutPrivateFolders, warnAboutRootLayout, warnAcrossProcesses } from './warnings.js'

/** The argument of `render`: the props of `<StyleguidePage>`. */
export interface StyleguideRouteView<Content> {
  tree: StyleguideNode<Content>
  slug: Slug
  match: StyleguideMatch<Content>
  /**
   * `/styleguide` below the `basePath` of the site. In `serverExternalPackages`, the package does not know the
   * `basePath`: write `<StyleguidePage {...view} prefix="/shop/styleguide" />`.
   */
  prefix: string
  /** The parameters of the URL: `q`, the words to search for, or `text` and `ground`, two colors to try. */
  query: Record<string, string | string[] | undefined>
  /** Whether the site runs in development: the default of the page X-ray, the same for the server and the browser. */
  xRay: boolean
}

export interface StyleguidePageOptions<Content, Rendered> {
  /**
   * The root page, with all pages below it; or a function that returns it, which may be async. The function is called
   * at the first request, so a module that reads a stylesheet needs no top-level `await`.
   */
  tree: TreeSource<Content>
  /** Whether the styleguide is served. If `false`, its pages call `notFound()`, and their metadata has no title. */
  enabled: boolean
  /** Renders a page, usually `(view) => <StyleguidePage {...view} />`. */
  render: (view: StyleguideRouteView<Content>) => Rendered
  /** Returns a page's title. Default: the titles of the page and the root, as in `'Colors – Styleguide'`. */
  title?: ((match: StyleguideMatch<Content>) => string) | undefined
}

const checks: OptionChecks<StyleguidePageOptions<unknown, unknown>> = {
  tree: required(checkTreeSource),
  enabled: required(checkBoolean),
  render: required(checkFunction),
  title: checkFunction,
}

/** The props of the page in a `[[...slug]]` folder. */
export interface StyleguideRouteProps {
  /** The segments of the URL below the styleguide, as Next.js passes them to `[[...slug]]`. */
  params: Promise<{ slug?: string[] }>
  /** The query of the URL. Without it, the search and the form for colors work by their script alone. */
  searchParams?: Promise<Record<string, string | string[] | undefined>>
}

/** A page's metadata, in the form that Next.js expects. */
export interface StyleguideMetadata {
  title?: string
  robots: { index: false; follow: false }
}

/** A page of Next.js, with the `generateMetadata` that the file of the page exports beside it. */
export interface StyleguideRoute<Rendered> {
  (props: StyleguideRouteProps): Promise<Rendered>
  /** Gives each page a title, and tells search engines not to index the page. */
  generateMetadata(props: StyleguideRouteProps): Promise<StyleguideMetadata>
}

/**
 * Creates the page for `app/styleguide/[[...slug]]/page.tsx`, and its metadata. The page calls `notFound()` unless the
 * styleguide is enabled and the slug matches a page. It is rendered on demand, so `enabled` can come from the
 * environment of the running server instead of the build.
 *
 * With `cacheComponents`, the page's file must also contain `export const instant = false` (Next.js 16.3 or later). Do
 * not wrap the page in a `<Suspense>` instead, which would hide the page where inline scripts may not run. Next.js then
 * also sends the head before it renders the page, so a page that is not found has the status 200, with `noindex`.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * // app/styleguide/[[...slug]]/page.tsx
 * const StyleguideRoute = createStyleguidePage({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   render: (view) => <StyleguidePage {...view} />,
 *   title: ({ page }) => `${page.title} – Silver & Salt`,
 * })
 *
 * export default StyleguideRoute
 * export const generateMetadata = StyleguideRoute.generateMetadata
 */
export function createStyleguidePage<Content, Rendered>(
  options: StyleguidePageOptions<Content, Rendered>,
): StyleguideRoute<Rendered> {
  const call = 'createStyleguidePage({ tree, enabled, render })'
  const { tree: source, enabled, render, title = defaultTitle } = checkKnownOptions(options, checks, call)
  const readTree = createTreeReader(source)
  warnAboutPrivateFolders()
  warnAboutRootLayout()
  // Next.js replaces this variable in the files that it bundles.
  const prefix = `${process.env.__NEXT_ROUTER_BASEPATH ?? ''}/styleguide`
  async function StyleguideRoute({ params, searchParams }: StyleguideRouteProps): Promise<Rendered> {
    await connection()
    if (!enabled) {
      warnAcrossProcesses('STYLEGUIDE_OFF', 'styleguide: enabled is false, so its pages are not found')
      notFound()
    }
    const { slug } = await params
    const query = (await searchParams) ?? {}
    const tree = await readTree()
    return render({ tree, slug, match: findPage(tree, slug) ?? notFound(), prefix, query, xRay: isDevelopment() })
  }
  const generateMetadata = async ({ params }: StyleguideRouteProps): Promise<StyleguideMetadata> => {
    await connection()
    const { slug } = await params
    const match = enabled ? findPage(await readTree(), slug) : undefined
    return { ...(match && { title: title(match) }), robots: { index: false, follow: false } }
  }
  return Object.assign(StyleguideRoute, { generateMetadata })
}

function defaultTitle({ page, trail: [root] }: StyleguideMatch): string {
  return root && root !== page ? `${page.title} – ${root.title}` : page.title
}
