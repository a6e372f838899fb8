import type * as React from 'react'
import type { Slug, StyleguideMatch, StyleguideNode, StyleguideState } from '../../../core/styleguide/index.js'
import {
  changesPage,
  describeStyleguide,
  findPage,
  listedPages,
  pageHref,
  searchPage,
  tokensIn,
  trailHrefs,
  xRayPage,
} from '../../../core/styleguide/internal.js'
import { type StyleguideContent, type StyleguideTree, textOf } from '../content.js'
import { ContentBoundary } from '../errors/content-boundary.js'
import { PageError, SafeContent } from '../errors/page-error.js'
import { Adopted, AdoptionPage } from '../pages/adoption-page.js'
import type { Specimen } from '../pages/color-trial.js'
import { XRayPage } from '../x-ray/x-ray-page.js'
import { ChangesLine, ChangesPage } from './changes-page.js'
import { Cover, leadOf } from './cover.js'
import { englishLabels, type StyleguideLabels } from './labels.js'
import { Breadcrumbs, Navigation } from './navigation.js'
import { propsOf, withSpecimen } from './page-picture.js'
import { Pictures } from './pictures.js'
import { SearchPage } from './search-page.js'

export interface StyleguidePageProps {
  /** The root page, with all pages below it. */
  tree: StyleguideTree
  /**
   * Slug of the page to show, in the form of your framework's router: a string, an array, or `undefined` for the root
   * page.
   */
  slug: Slug
  /** The page as the route has found it. Default: the page of the slug. */
  match?: StyleguideMatch<StyleguideContent> | undefined
  /** Path prefix of the styleguide. Must match the prefix of the route. Default `'/styleguide'`. */
  prefix?: string | undefined
  /**
   * The parameters of the URL, which the view of a route has: `q`, the words to search for on the page `/search` or a hex
   * for the nearest colors, and the names `text` and `ground` of two colors to try. Default: none, for the index.
   */
  query?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Translated interface texts, such as button labels. Default: English. */
  labels?: Partial<StyleguideLabels> | undefined
  /**
   * The error to show in place of the content. The route passes it if the first attempt to render this page has failed.
   */
  error?: unknown
  /**
   * Whether the styleguide has the page X-ray, which measures pages of the site in the visitor's browser. `packageFiles`
   * serves its files below `/sitewright`; write another folder in place of `true`. The view of a route has `true` in development. Default `false`.
   */
  xRay?: boolean | string | undefined
  /**
   * An earlier state, which `npx sitewright styleguide check --state` has written. The cover then says what changed
   * since, and links to a page with before and after.
   */
  since?: StyleguideState | undefined
}

/**
 * Renders the page for a slug: navigation for the whole tree, breadcrumbs, and the page's content. For a slug without a
 * page, renders the results of a search for it. For a `bare` page, renders only the content.
 *
 * Requires the stylesheet `sitewright/styleguide.css`. JavaScript is optional: load the script
 * `sitewright/styleguide.js` in the page's `<head>` to search, copy values, and remember the visitor's color scheme.
 *
 * @example <StyleguidePage {...view} /> // the view that the route passes to `render`
 * @example <StyleguidePage tree={tree} slug={params.slug} />
 */
export function StyleguidePage(props: StyleguidePageProps): React.ReactElement | null {
  const { tree, slug, prefix = '/styleguide', error, xRay = false, since } = props
  const labels = { ...englishLabels, ...props.labels }
  const [query = '', text, ground] = ['q', 'text', 'ground'].map((name) => [props.query?.[name]].flat()[0])
  const match = props.match ?? findPage(tree, slug)
  const rootHref = `/${prefix.replace(/^\/|\/$/g, '')}`
  const isIndex = match?.page === searchPage
  const xRayFiles = xRay ? (xRay === true ? '/sitewright' : xRay) : undefined
  const ownPages = [...(xRayFiles === undefined ? [] : [xRayPage]), ...(since ? [changesPage] : [])]
  const ownContent = new Map([
    [searchPage, <SearchPage key="" {...{ tree, rootHref, labels, query }} />],
    [xRayPage, <XRayPage key="" rootHref={rootHref} files={xRayFiles} />],
    [changesPage, since && <ChangesPage key="" tree={tree} rootHref={rootHref} since={since} />],
  ])
  const content =
    match &&
    (ownContent.get(match.page as StyleguideNode<never>) ?? (
      <PageContent {...match} {...{ rootHref, error, labels }} pair={{ text, ground }} />
    ))
  const name = [slug ?? ''].flat().join('/').split('/').at(-1)?.slice(0, 100) ?? ''
  if (match?.page.bare) return <>{content}</>
  return (
    <div className="sw-styleguide">
      <a className="sw-skip" href="#sw-content">
        {labels.skip}
      </a>
      <Navigation tree={tree} rootHref={rootHref} current={match?.page} labels={labels} ownPages={ownPages} />
      <main className="sw-main" id="sw-content" tabIndex={-1}>
        {match ? (
          <>
            {!isIndex && <Breadcrumbs trail={match.trail} rootHref={rootHref} label={labels.breadcrumb} />}
            {match.page === tree ? (
              <Cover tree={tree} />
            ) : (
              <h1 className="sw-title">{isIndex ? (query ? labels.search : labels.index) : match.page.title}</h1>
            )}
            {match.page !== tree && match.page.description && <p className="sw-deck">{match.page.description}</p>}
            {match.page === tree && since && (
              <ChangesLine tree={tree} rootHref={rootHref} since={since} href={pageHref(rootHref, changesPage)} />
            )}
            {content}
          </>
        ) : (
          <>
            <h1 className="sw-title">{labels.missing.replace('{name}', name)}</h1>
            <p className="sw-deck">{labels.moved}</p>
            <SearchPage {...{ tree, rootHref, labels }} query={name.replaceAll('-', ' ')} isMissing />
          </>
        )}
      </main>
      {/* The script writes here whether copying succeeded. */}
      <p className="sw-toast" role="status" data-copied={labels.copied} data-copy-failed={labels.copyFailed} />
    </div>
  )
}

interface PageContentProps extends StyleguideMatch<StyleguideContent> {
  rootHref: string
  /** The error to show in place of the content. */
  error: unknown
  /** The colors to try on a page of colors. */
  pair: Specimen['pair']
  labels: StyleguideLabels
}

/** Shows a page's content, unless the cover shows it below its title, and pictures of the pages below it. */
function PageContent({ page, trail, rootHref, error, pair, labels }: PageContentProps) {
  if (error !== undefined) return <PageError title={labels.failed} error={error} />
  const href = trailHrefs(rootHref, trail).at(-1) ?? rootHref
  const adoption = propsOf(page.content, AdoptionPage)?.adoption
  const tokens = adoption && trail[0] ? tokensIn(describeStyleguide(trail[0], rootHref).tokens) : []
  const content = (
    // The key keeps React from reusing the state of one page's component for another page.
    <ContentBoundary key={href} errorTitle={labels.failed}>
      <SafeContent
        content={
          adoption ? <Adopted {...adoption} tokens={tokens} /> : withSpecimen(page.content, trail[0] ?? page, pair)
        }
        props={{ page, trail, href }}
        renderError={(thrown) => {
          console.error(`styleguide: the page '${page.title}' threw`, thrown)
          return <PageError title={labels.failed} error={thrown} />
        }}
      />
    </ContentBoundary>
  )
  if (page.bare) return content
  const isOnCover = trail.length === 1 && leadOf(page) === textOf(page.content)
  const below = listedPages(page)
  const noun = below.every(({ component }) => component) ? 'component' : 'page'
  const isOverview = trail.length > 1 && below.length > 0 && page.content == null && !page.description
  return (
    <>
      {isOverview && <p className="sw-deck">{`${below.length} ${noun}${below.length === 1 ? '' : 's'}`}</p>}
      {page.content !== undefined && page.content !== null && !isOnCover && <div className="sw-content">{content}</div>}
      <Pictures page={page} href={href} labels={labels} />
    </>
  )
}
