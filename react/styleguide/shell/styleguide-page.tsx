import type * as React from 'react'
import { findPage, getNeighbors, type Slug, type StyleguideMatch } from '../../../core/styleguide/index.js'
import type { StyleguideContent, StyleguideTree } from '../content.js'
import { PageError } from '../errors/page-error.js'
import { Breadcrumbs } from './breadcrumbs.js'
import { englishLabels, type StyleguideLabels } from './labels.js'
import { Navigation } from './navigation.js'
import { PageContent } from './page-content.js'
import { Pagination } from './pagination.js'

export interface StyleguidePageProps {
  /** The root page, with all pages below it. */
  tree: StyleguideTree
  /** Which page, as the server gives it: a string, an array, or nothing for the root. */
  slug?: Slug
  /** Where the styleguide lives, the same as the route's. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** The shell's few words, for a styleguide in another language. */
  labels?: Partial<StyleguideLabels> | undefined
  /** What a first try of rendering this page threw; it is shown in place of the content. The route gives it. */
  error?: unknown
}

/**
 * The styleguide at a slug: navigation over the whole tree, breadcrumbs, the page's content, and the pages before and
 * after it. Where the slug matches no page, nothing is shown but the shell; of a bare page, nothing but its content.
 *
 * Needs the stylesheet `sitewright/styleguide.css` and works without JavaScript. Filter, copying and a remembered color
 * scheme come with `sitewright/styleguide.js`, a plain script for the page's head.
 *
 * @example <StyleguidePage tree={tree} slug={params.slug} />
 */
export function StyleguidePage(props: StyleguidePageProps): React.ReactElement | null {
  const { tree, slug, prefix = '/styleguide', error } = props
  const labels = { ...englishLabels, ...props.labels }
  const match = findPage(tree, slug)
  const rootHref = `/${prefix.replace(/^\/|\/$/g, '')}`
  const content = match && <MatchedContent match={match} rootHref={rootHref} error={error} failed={labels.failed} />
  if (match?.page.bare) return <>{content}</>
  return (
    <div className="sw-styleguide">
      <a className="sw-skip" href="#sw-content">
        {labels.skip}
      </a>
      <Navigation tree={tree} rootHref={rootHref} current={match?.page} labels={labels} />
      <main className="sw-main" id="sw-content" tabIndex={-1}>
        {match && (
          <>
            <Breadcrumbs trail={match.trail} rootHref={rootHref} label={labels.breadcrumb} />
            <h1 className="sw-title">{match.page.title}</h1>
            {content}
            <Pagination neighbors={getNeighbors(rootHref, match.trail)} labels={labels} />
          </>
        )}
      </main>
      {/* The script says here what it did. */}
      <p className="sw-toast" role="status" data-copied={labels.copied} data-refused={labels.refused} />
    </div>
  )
}

interface MatchedContentProps {
  match: StyleguideMatch<StyleguideContent>
  rootHref: string
  error: unknown
  failed: string
}

function MatchedContent({ match, rootHref, error, failed }: MatchedContentProps) {
  if (error !== undefined) return <PageError title={failed} error={error} />
  return <PageContent {...match} rootHref={rootHref} failed={failed} />
}
