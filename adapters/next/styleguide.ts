import { notFound } from 'next/navigation.js'
import { connection } from 'next/server.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkObject,
  type OptionChecks,
  required,
} from '../../core/options.js'
import { findPage, type Slug, type StyleguideMatch, type StyleguideNode } from '../../core/styleguide/index.js'
import { warnAboutPrivateFolders, warnAcrossProcesses } from './warnings.js'

export interface StyleguidePageOptions<Content, Rendered> {
  /** Root page with all pages below it. */
  tree: StyleguideNode<Content>
  /** Whether the styleguide is served. If `false`, its pages call `notFound()`. */
  enabled: boolean
  /** Renders a page, usually `(view) => <StyleguidePage {...view} />`. */
  render: (view: { tree: StyleguideNode<Content>; slug: Slug; match: StyleguideMatch<Content> }) => Rendered
}

export interface StyleguideMetadataOptions<Content> {
  /** Root page with all pages below it, as for `createStyleguidePage`. */
  tree: StyleguideNode<Content>
  /** Whether the styleguide is served, as for `createStyleguidePage`. If `false`, the metadata has no title. */
  enabled: boolean
  /** Returns a page's title. Default: the titles of the page and the root, as in `'Colors – Styleguide'`. */
  title?: ((match: StyleguideMatch<Content>) => string) | undefined
}

const sharedChecks = { tree: required(checkObject), enabled: required(checkBoolean) }
const pageChecks: OptionChecks<StyleguidePageOptions<unknown, unknown>> = {
  ...sharedChecks,
  render: required(checkFunction),
}
const metadataChecks: OptionChecks<StyleguideMetadataOptions<unknown>> = { ...sharedChecks, title: checkFunction }

/** The props of the page in a `[[...slug]]` folder. */
export interface StyleguideRouteProps {
  params: Promise<{ slug?: string[] }>
}

/** A page's metadata, in the form that Next.js expects. */
export interface StyleguideMetadata {
  title?: string
  robots: { index: false; follow: false }
}

/**
 * Creates the page for `app/styleguide/[[...slug]]/page.tsx`. It calls `notFound()` unless the styleguide is enabled
 * and the slug matches a page. The page is rendered on demand, so `enabled` can come from the environment of the
 * running server instead of the build.
 *
 * With `cacheComponents`, the page's file must also contain `export const instant = false` (Next.js 16.3 or later). Do
 * not wrap the page in a `<Suspense>` instead, which would hide the page where inline scripts may not run. Next.js then
 * also sends the head before it renders the page, so a page that is not found has the status 200, with `noindex`.
 *
 * @example
 * // app/styleguide/[[...slug]]/page.tsx
 * const enabled = process.env.STYLEGUIDE_ENABLED === 'true'
 *
 * export const generateMetadata = createStyleguideMetadata({ tree, enabled })
 * export default createStyleguidePage({
 *   tree,
 *   enabled,
 *   render: (view) => <StyleguidePage {...view} />,
 * })
 */
export function createStyleguidePage<Content, Rendered>(options: StyleguidePageOptions<Content, Rendered>) {
  const { tree, enabled, render } = checkKnownOptions(
    options,
    pageChecks,
    'createStyleguidePage({ tree, enabled, render })',
  )
  warnAboutPrivateFolders()
  return async function StyleguideRoute({ params }: StyleguideRouteProps): Promise<Rendered> {
    await connection()
    if (!enabled) {
      warnAcrossProcesses('STYLEGUIDE_OFF', 'styleguide: enabled is false, so its pages are not found')
      notFound()
    }
    const { slug } = await params
    return render({ tree, slug, match: findPage(tree, slug) ?? notFound() })
  }
}

/**
 * Creates the `generateMetadata` that goes with `createStyleguidePage`. It gives each page a title and tells search
 * engines not to index the page.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * export const generateMetadata = createStyleguideMetadata({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   title: ({ page }) => `${page.title} – Silver & Salt`,
 * })
 */
export function createStyleguideMetadata<Content>(options: StyleguideMetadataOptions<Content>) {
  const {
    tree,
    enabled,
    title = defaultTitle,
  } = checkKnownOptions(options, metadataChecks, 'createStyleguideMetadata({ tree, enabled })')
  return async ({ params }: StyleguideRouteProps): Promise<StyleguideMetadata> => {
    await connection()
    const { slug } = await params
    const match = enabled ? findPage(tree, slug) : undefined
    return { ...(match && { title: title(match) }), robots: { index: false, follow: false } }
  }
}

function defaultTitle({ page, trail: [root] }: StyleguideMatch): string {
  return root && root !== page ? `${page.title} – ${root.title}` : page.title
}
