import { notFound } from 'next/navigation.js'
import { connection } from 'next/server.js'
import { findPage, type Slug, type StyleguideMatch, type StyleguideNode } from '../../core/styleguide/index.js'

export interface StyleguideRouteOptions<Content, Rendered> {
  /** The root page, with all pages below it. */
  tree: StyleguideNode<Content>
  /** Whether there is a styleguide. Only `true` says so: anything else is `notFound()`. */
  enabled: boolean
  /** Renders the page, usually `({ slug }) => <StyleguidePage tree={tree} slug={slug} />`. */
  render: (view: { slug: Slug; match: StyleguideMatch<Content> }) => Rendered
}

/** What Next.js gives to a page below `[[...slug]]`. */
export interface StyleguidePageProps {
  params: Promise<{ slug?: string[] }>
}

/** The `metadata` of a styleguide: no search engine is to list it. */
export const styleguideMetadata = { robots: { index: false, follow: false } }

/**
 * Creates the page of `app/styleguide/[[...slug]]/page.tsx`: `notFound()` while the styleguide is off, and for a slug
 * that leads to no page. It is rendered on demand, so that the environment of the running server decides and not the
 * one of the build.
 *
 * @example
 * export const metadata = styleguideMetadata
 * export default createStyleguidePage({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} />,
 * })
 */
export function createStyleguidePage<Content, Rendered>(options: StyleguideRouteOptions<Content, Rendered>) {
  const { tree, enabled, render } = options
  return async function StyleguideRoute({ params }: StyleguidePageProps): Promise<Rendered> {
    await connection()
    if (enabled !== true) notFound()
    const { slug } = await params
    return render({ slug, match: findPage(tree, slug) ?? notFound() })
  }
}
