import * as React from 'react'
import { trailHrefs } from '../../core/styleguide/index.js'
import { ContentBoundary } from './content-boundary.js'
import { Guarded } from './guarded.js'
import { PageList } from './navigation.js'
import type { CallableContent, StyleguideContent, StyleguideContentProps, StyleguideTree } from './styleguide-page.js'

interface PageContentProps {
  page: StyleguideTree
  trail: readonly StyleguideTree[]
  rootHref: string
  /** What to say of content that fails. */
  failed: string
}

/** What a page shows: its content, or, without any, a list of the pages below it. */
export function PageContent({ page, trail, rootHref, failed }: PageContentProps) {
  const href = trailHrefs(rootHref, trail).at(-1) ?? rootHref
  const content = (
    // The key: of two pages' components, none must get the other's state.
    <ContentBoundary key={href} failed={failed}>
      {renderContent(page.content, { page, trail, href }, failed)}
    </ContentBoundary>
  )
  if (page.bare) return content
  if (page.content === undefined || page.content === null) return <PageList page={page} href={href} />
  return <div className="sw-content">{content}</div>
}

function renderContent(content: StyleguideContent, given: StyleguideContentProps, failed: string): React.ReactNode {
  if (isCallable(content)) return <Guarded component={content} given={given} failed={failed} />
  return isComponent(content) ? React.createElement(content, given) : content
}

/** Whether content is a plain function: neither a class nor a reference to a client component, which only React calls. */
export function isCallable(content: StyleguideContent): content is CallableContent {
  return typeof content === 'function' && !('$$typeof' in content) && !content.prototype?.isReactComponent
}

const componentTypes = new Set<unknown>([Symbol.for('react.memo'), Symbol.for('react.forward_ref')])

/** Whether content is a component of any kind. */
export function isComponent(content: StyleguideContent): content is Exclude<StyleguideContent, React.ReactNode> {
  if (typeof content === 'function') return true
  return (
    typeof content === 'object' && content !== null && '$$typeof' in content && componentTypes.has(content.$$typeof)
  )
}
