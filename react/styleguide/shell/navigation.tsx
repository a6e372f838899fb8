import * as React from 'react'
import type { StyleguideNode } from '../../../core/styleguide/index.js'
import { checkTree, listedPages, pageHref, searchPage, trailHrefs } from '../../../core/styleguide/internal.js'
import { filledByScript } from '../content.js'
import { SchemeIcon } from '../pages/mode-name.js'
import type { StyleguideLabels } from './labels.js'

interface NavigationProps {
  tree: StyleguideNode
  rootHref: string
  current: StyleguideNode | undefined
  labels: StyleguideLabels
  /** The package's own pages to list below the tree. */
  ownPages: readonly StyleguideNode[]
}

// React 18 passes on unknown attributes only in lower case; React 19, which added `use`, requires camel case.
const isReact19 = 'use' in React
const popoverTarget = isReact19 ? 'popoverTarget' : 'popovertarget'
const popoverTargetAction = isReact19 ? 'popoverTargetAction' : 'popovertargetaction'

/**
 * The header, and the tree of pages. On a small screen, the tree is a popover, which opens without JavaScript; on a
 * wide screen, it is a column.
 */
export function Navigation({ tree, rootHref, current, labels, ownPages }: NavigationProps) {
  checkTree(tree)
  return (
    <>
      <header className="sw-header">
        <a className="sw-brand" href={rootHref} aria-current={tree === current ? 'page' : undefined}>
          {tree.title}
        </a>
        <SchemeSwitch labels={labels} />
        <button className="sw-menu sw-field" type="button" {...{ [popoverTarget]: 'sw-nav' }}>
          {labels.menu}
        </button>
      </header>
      <nav className="sw-nav" id="sw-nav" aria-label={labels.navigation} popover="auto">
        <div className="sw-drawer">
          <button className="sw-field" type="button" {...{ [popoverTarget]: 'sw-nav', [popoverTargetAction]: 'hide' }}>
            {labels.close}
          </button>
        </div>
        <SearchField rootHref={rootHref} labels={labels} />
        <PageList page={tree} href={rootHref} current={current} />
        {[...ownPages, searchPage].map((page) => (
          <a
            key={page.title}
            className="sw-all"
            href={pageHref(rootHref, page)}
            aria-current={page === current ? 'page' : undefined}
          >
            {page === searchPage ? labels.index : page.title}
          </a>
        ))}
      </nav>
    </>
  )
}

interface SearchFieldProps {
  rootHref: string
  labels: StyleguideLabels
  query?: string | undefined
  /** Says how much was found. */
  status?: string
  /** The results. Default: those that the script shows. */
  children?: React.ReactNode
}

/** A search field and its results, as a form that the server answers. */
export function SearchField({ rootHref, labels, query, status, children }: SearchFieldProps) {
  // A page has one search landmark, which is that of the navigation.
  const Place = query === undefined ? 'search' : 'div'
  return (
    <Place className="sw-search">
      <form action={pageHref(rootHref, searchPage)}>
        <input
          className="sw-field"
          type="search"
          name="q"
          defaultValue={query}
          aria-label={labels.search}
          aria-keyshortcuts="/"
          placeholder={`${labels.search} (/)`}
          autoComplete="off"
          spellCheck={false}
        />
      </form>
      <p role="status" data-found={labels.found} data-empty={labels.none} suppressHydrationWarning>
        {status}
      </p>
      <div
        className="sw-found"
        suppressHydrationWarning
        {...(children ? { children } : { dangerouslySetInnerHTML: filledByScript })}
      />
    </Place>
  )
}

const schemes = ['system', 'light', 'dark'] as const

/**
 * Lets the visitor choose between the system's color scheme, light and dark. The stylesheet applies the choice to the
 * current page (`:has(#sw-dark:checked)`); the script remembers it for other pages.
 */
function SchemeSwitch({ labels }: { labels: StyleguideLabels }) {
  return (
    <fieldset className="sw-scheme" aria-label={labels.scheme}>
      {schemes.map((scheme) => (
        <label key={scheme} title={labels[scheme]}>
          <input
            type="radio"
            name="sw-scheme"
            id={`sw-${scheme}`}
            value={scheme}
            defaultChecked={scheme === 'system'}
          />
          <SchemeIcon scheme={scheme} />
          <span className="sw-hidden">{labels[scheme]}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface PageListProps {
  /** The parent of the listed pages. */
  page: StyleguideNode
  /** URL of the parent. */
  href: string
  current?: StyleguideNode | undefined
}

/** A list of the pages below a page, nested as deep as the tree. */
export function PageList({ page, href, current }: PageListProps): React.ReactElement | null {
  const pages = listedPages(page)
  if (pages.length === 0) return null
  return (
    <ul className="sw-pages">
      {pages.map((child, index) => {
        const childHref = pageHref(href, child)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles and paths may repeat
          <li key={index}>
            <a href={childHref} aria-current={child === current ? 'page' : undefined}>
              {child.title}
            </a>
            {child === current && (
              // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty constant; the script lists headings here
              <ul className="sw-pages sw-outline" suppressHydrationWarning dangerouslySetInnerHTML={filledByScript} />
            )}
            {childHref !== undefined && <PageList page={child} href={childHref} current={current} />}
          </li>
        )
      })}
    </ul>
  )
}

interface BreadcrumbsProps {
  trail: readonly StyleguideNode[]
  rootHref: string
  label: string
}

/** Links from the root to the page. Renders nothing for the root itself. */
export function Breadcrumbs({ trail, rootHref, label }: BreadcrumbsProps) {
  if (trail.length < 2) return null
  const hrefs = trailHrefs(rootHref, trail)
  return (
    <nav className="sw-breadcrumbs" aria-label={label}>
      <ol>
        {trail.map((page, depth) => {
          const isCurrent = depth === trail.length - 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the depth identifies each item
            <li key={depth}>
              {isCurrent ? <span aria-current="page">{page.title}</span> : <a href={hrefs[depth]}>{page.title}</a>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
