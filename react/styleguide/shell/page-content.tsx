import * as React from 'react'
import { trailHrefs } from '../../../core/styleguide/index.js'
import {
  isComponent,
  isFunctionContent,
  type StyleguideContent,
  type StyleguideContentProps,
  type StyleguideTree,
} from '../content.js'
import { ContentBoundary } from '../errors/content-boundary.js'
import { SafePage } from '../errors/safe-page.js'
import { PageList } from './navigation.js'

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
  if (isFunctionContent(content)) return <SafePage component={content} given={given} failed={failed} />
  return isComponent(content) ? React.createElement(content, given) : content
}
