import { notFound } from 'next/navigation.js'
import { connection } from 'next/server.js'
import { checkFunction, checkOptions } from '../../core/option-error.js'
import { findPage, type Slug, type StyleguideMatch, type StyleguideNode } from '../../core/styleguide/index.js'

export interface StyleguidePageOptions<Content, Rendered> {
  /** Root page with all pages below it. */
  tree: StyleguideNode<Content>
  /** Whether the styleguide is served. Anything but `true` is `notFound()`. */
  enabled: boolean
  /** Renders a page, usually `({ slug }) => <StyleguidePage tree={tree} slug={slug} />`. */
  render: (view: { slug: Slug; match: StyleguideMatch<Content> }) => Rendered
}

/** The props of a page below `[[...slug]]`. */
export interface StyleguidePageProps {
  params: Promise<{ slug?: string[] }>
}

/** The `metadata` of a styleguide: search engines should not index it. */
export const styleguideMetadata = { robots: { index: false, follow: false } }

/**
 * Creates the page of `app/styleguide/[[...slug]]/page.tsx`. It calls `notFound()` unless the styleguide is enabled and the
 * slug matches a page. It is rendered on demand, so that the environment of the running server decides and not that of
 * the build.
 *
 * @example
 * export const metadata = styleguideMetadata
 * export default createStyleguidePage({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} />,
 * })
 */
export function createStyleguidePage<Content, Rendered>(options: StyleguidePageOptions<Content, Rendered>) {
  const { tree, enabled, render } = checkOptions(options)
  checkOptions(tree, 'tree')
  checkFunction('render', render)
  return async function StyleguideRoute({ params }: StyleguidePageProps): Promise<Rendered> {
    await connection()
    if (enabled !== true) notFound()
    const { slug } = await params
    return render({ slug, match: findPage(tree, slug) ?? notFound() })
  }
}
