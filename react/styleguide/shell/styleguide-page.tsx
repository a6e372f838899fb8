import type * as React from 'react'
import { findPage, type Slug, type StyleguideMatch } from '../../../core/styleguide/index.js'
import { getNeighbors } from '../../../core/styleguide/internal.js'
import type { StyleguideContent, StyleguideTree } from '../content.js'
import { PageError } from '../errors/page-error.js'
import { englishLabels, type StyleguideLabels } from './labels.js'
import { Breadcrumbs, Navigation, Pager } from './navigation.js'
import { PageContent } from './page-content.js'

export interface StyleguidePageProps {
  /** The root page, with all pages below it. */
  tree: StyleguideTree
  /** The page to show, in the form that the server provides: a string, an array, or nothing for the root. */
  slug: Slug
  /** Path prefix of the styleguide, the same as the route's. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** Texts of the shell, for a styleguide in another language. Default: English. */
  labels?: Partial<StyleguideLabels> | undefined
  /**
   * The error to show in place of the content: that of the first attempt to render this page, as passed by the route.
   */
  error?: unknown
}

/**
 * Renders the page of a slug: navigation over the whole tree, breadcrumbs, the page's content, and links to the
 * previous and next page. If the slug matches no page, renders the shell alone; for a bare page, its content alone.
 *
 * Needs the stylesheet `sitewright/styleguide.css` and works without JavaScript. `sitewright/styleguide.js`, a plain
 * script for the page's head, adds the filter, copying and a remembered color scheme.
 *
 * @example <StyleguidePage tree={tree} slug={params.slug} />
 */
export function StyleguidePage(props: StyleguidePageProps): React.ReactElement | null {
  const { tree, slug, prefix = '/styleguide', error } = props
  const labels = { ...englishLabels, ...props.labels }
  const match = findPage(tree, slug)
  const rootHref = `/${prefix.replace(/^\/|\/$/g, '')}`
  const content = match && <MatchedContent match={match} rootHref={rootHref} error={error} errorTitle={labels.failed} />
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
            <Pager neighbors={getNeighbors(rootHref, match.trail)} labels={labels} />
          </>
        )}
      </main>
      {/* The script announces copies here. */}
      <p className="sw-toast" role="status" data-copied={labels.copied} data-copy-failed={labels.copyFailed} />
    </div>
  )
}

interface MatchedContentProps {
  match: StyleguideMatch<StyleguideContent>
  rootHref: string
  error: unknown
  errorTitle: string
}

function MatchedContent({ match, rootHref, error, errorTitle }: MatchedContentProps) {
  if (error !== undefined) return <PageError title={errorTitle} error={error} />
  return <PageContent {...match} rootHref={rootHref} errorTitle={errorTitle} />
}
