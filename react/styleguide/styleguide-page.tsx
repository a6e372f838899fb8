import type * as React from 'react'
import { findPage, type Slug, type StyleguideMatch, type StyleguideNode } from '../../core/styleguide/index.js'
import { Breadcrumbs } from './breadcrumbs.js'
import { Navigation, type NavigationLabels } from './navigation.js'
import { PageContent } from './page-content.js'

/** What the component of a page is given. */
export interface StyleguideContentProps {
  page: StyleguideTree
  /** From the root to the page, both included. */
  trail: readonly StyleguideTree[]
  /** URL of the page. */
  href: string
}

/** What a page shows: a component, which on Next.js may be a server component, or ready-made elements. */
export type StyleguideContent = React.ComponentType<StyleguideContentProps> | React.ReactNode

/** A styleguide of React pages. */
export type StyleguideTree = StyleguideNode<StyleguideContent>

export interface StyleguidePageProps {
  /** The root page, with all pages below it. */
  tree: StyleguideTree
  /** Which page, as the server gives it: a string, an array, or nothing for the root. */
  slug?: Slug
  /** Where the styleguide lives, the same as the route's. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** The shell's few words, for a styleguide in another language. */
  labels?: Partial<StyleguideLabels> | undefined
}

export interface StyleguideLabels extends NavigationLabels {
  /** Default `'Skip to content'`. */
  skip: string
  /** Default `'Breadcrumb'`. */
  breadcrumb: string
}

const englishLabels: StyleguideLabels = {
  skip: 'Skip to content',
  breadcrumb: 'Breadcrumb',
  navigation: 'Styleguide pages',
  menu: 'Menu',
}

/**
 * The styleguide at a slug: navigation over the whole tree, breadcrumbs, and the page's content. Where the slug matches
 * no page, nothing is shown but the shell. Needs the stylesheet `sitewright/styleguide.css`, and no client JavaScript.
 *
 * @example <StyleguidePage tree={tree} slug={params.slug} />
 */
export function StyleguidePage(props: StyleguidePageProps): React.ReactElement {
  const { tree, slug, prefix = '/styleguide' } = props
  const labels = { ...englishLabels, ...props.labels }
  const match = findPage(tree, slug)
  const rootHref = `/${prefix.replace(/^\/|\/$/g, '')}`
  return (
    <div className="sw-styleguide">
      <a className="sw-skip" href="#sw-content">
        {labels.skip}
      </a>
      <Navigation tree={tree} rootHref={rootHref} current={match?.page} labels={labels} />
      <main className="sw-main" id="sw-content" tabIndex={-1}>
        {match && <MatchedPage match={match} rootHref={rootHref} label={labels.breadcrumb} />}
      </main>
    </div>
  )
}

interface MatchedPageProps {
  match: StyleguideMatch<StyleguideContent>
  rootHref: string
  label: string
}

function MatchedPage({ match, rootHref, label }: MatchedPageProps) {
  return (
    <>
      <Breadcrumbs trail={match.trail} rootHref={rootHref} label={label} />
      <h1 className="sw-title">{match.page.title}</h1>
      <PageContent {...match} rootHref={rootHref} />
    </>
  )
}
