import * as React from 'react'
import { pageHref, type StyleguideNode } from '../../core/styleguide/index.js'

export interface NavigationLabels {
  /** What the list of pages is called. Default `'Styleguide pages'`. */
  navigation: string
  /** The button that opens it on a small screen. Default `'Menu'`. */
  menu: string
}

interface NavigationProps {
  tree: StyleguideNode
  rootHref: string
  current: StyleguideNode | undefined
  labels: NavigationLabels
}

// React 18 knows neither attribute and passes on what is in lower case; `use` came with React 19, which knows both.
const popoverTarget = 'use' in React ? 'popoverTarget' : 'popovertarget'

/** The head of the styleguide and its tree of pages: a column, or, on a small screen, a popover that HTML alone opens. */
export function Navigation({ tree, rootHref, current, labels }: NavigationProps) {
  return (
    <>
      <header className="sw-header">
        <a className="sw-brand" href={rootHref} aria-current={tree === current ? 'page' : undefined}>
          {tree.title}
        </a>
        <button className="sw-menu" type="button" {...{ [popoverTarget]: 'sw-nav' }}>
          {labels.menu}
        </button>
      </header>
      <nav className="sw-nav" id="sw-nav" aria-label={labels.navigation} popover="auto">
        <PageList pages={tree.pages} parentHref={rootHref} current={current} />
      </nav>
    </>
  )
}

interface PageListProps {
  pages: readonly StyleguideNode[] | undefined
  parentHref: string
  current?: StyleguideNode | undefined
}

/** A list of pages with those below them, as deep as the tree goes. */
export function PageList({ pages = [], parentHref, current }: PageListProps): React.ReactElement | null {
  if (pages.length === 0) return null
  return (
    <ul className="sw-pages">
      {pages.map((page, index) => {
        const href = pageHref(parentHref, page)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles and paths may come twice
          <li key={index}>
            <a href={href} aria-current={page === current ? 'page' : undefined}>
              {page.title}
            </a>
            {href !== undefined && <PageList pages={page.pages} parentHref={href} current={current} />}
          </li>
        )
      })}
    </ul>
  )
}
