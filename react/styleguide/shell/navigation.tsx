import * as React from 'react'
import { listedPages, pageHref, type StyleguideNode } from '../../../core/styleguide/index.js'
import { checkTree } from '../../../core/styleguide/internal.js'
import type { StyleguideLabels } from './labels.js'
import { SchemeSwitch } from './scheme-switch.js'

interface NavigationProps {
  tree: StyleguideNode
  rootHref: string
  current: StyleguideNode | undefined
  labels: StyleguideLabels
}

// React 18 passes on unknown attributes only in lower case; React 19, which added `use`, requires camel case.
const popoverTarget = 'use' in React ? 'popoverTarget' : 'popovertarget'

/** The header and the tree of pages: a column, or, on a small screen, a popover that opens without JavaScript. */
export function Navigation({ tree, rootHref, current, labels }: NavigationProps) {
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
        <Filter labels={labels} />
        <PageList page={tree} href={rootHref} current={current} />
      </nav>
    </>
  )
}

/** The field that filters the pages by title. The stylesheet shows it once the script is loaded. */
function Filter({ labels }: { labels: StyleguideLabels }) {
  return (
    <search className="sw-filter">
      <input
        className="sw-field"
        type="search"
        aria-label={labels.filter}
        aria-keyshortcuts="/"
        placeholder={`${labels.filter} (/)`}
        autoComplete="off"
        spellCheck={false}
      />
      <p role="status" data-found={labels.found} />
    </search>
  )
}

interface PageListProps {
  /** The page whose pages are listed. */
  page: StyleguideNode
  /** Its URL. */
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
            {childHref !== undefined && <PageList page={child} href={childHref} current={current} />}
          </li>
        )
      })}
    </ul>
  )
}
