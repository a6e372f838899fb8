import * as React from 'react'
import { trailHrefs } from '../../core/styleguide/index.js'
import { PageList } from './navigation.js'
import type { StyleguideContent, StyleguideContentProps, StyleguideTree } from './styleguide-page.js'

interface PageContentProps {
  page: StyleguideTree
  trail: readonly StyleguideTree[]
  rootHref: string
}

/** What a page shows: its content, or, without any, a list of the pages below it. */
export function PageContent({ page, trail, rootHref }: PageContentProps) {
  const { content } = page
  const href = trailHrefs(rootHref, trail).at(-1) ?? rootHref
  if (content === undefined || content === null) return <PageList pages={page.pages} parentHref={href} />
  return (
    <div className="sw-content">
      {isComponent(content) ? React.createElement(content, { page, trail, href }) : content}
    </div>
  )
}

const componentTypes = new Set<unknown>([Symbol.for('react.memo'), Symbol.for('react.forward_ref')])

function isComponent(content: StyleguideContent): content is React.ComponentType<StyleguideContentProps> {
  if (typeof content === 'function') return true
  return (
    typeof content === 'object' && content !== null && '$$typeof' in content && componentTypes.has(content.$$typeof)
  )
}
