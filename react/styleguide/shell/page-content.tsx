import * as React from 'react'
import { trailHrefs } from '../../../core/styleguide/internal.js'
import {
  type FunctionContent,
  isComponent,
  isFunctionContent,
  type StyleguideContent,
  type StyleguideContentProps,
  type StyleguideTree,
} from '../content.js'
import { ContentBoundary } from '../errors/content-boundary.js'
import { PageError, tryRender } from '../errors/page-error.js'
import { Pictures } from './pictures.js'

interface PageContentProps {
  page: StyleguideTree
  trail: readonly StyleguideTree[]
  rootHref: string
  /** Heading of the error if the content fails. */
  errorTitle: string
}

/**
 * Shows a page's content. A page without content shows pictures of the pages below it, and the root page shows both.
 */
export function PageContent({ page, trail, rootHref, errorTitle }: PageContentProps) {
  const href = trailHrefs(rootHref, trail).at(-1) ?? rootHref
  const content = (
    // The key keeps React from reusing the state of one page's component for another page.
    <ContentBoundary key={href} errorTitle={errorTitle}>
      {renderContent(page.content, { page, trail, href }, errorTitle)}
    </ContentBoundary>
  )
  if (page.bare) return content
  const pictures = <Pictures page={page} href={href} />
  if (page.content === undefined || page.content === null) return pictures
  return (
    <>
      <div className="sw-content">{content}</div>
      {trail.length === 1 && pictures}
    </>
  )
}

function renderContent(content: StyleguideContent, props: StyleguideContentProps, errorTitle: string): React.ReactNode {
  if (isFunctionContent(content)) return <SafePage component={content} props={props} errorTitle={errorTitle} />
  return isComponent(content) ? React.createElement(content, props) : content
}

interface SafePageProps {
  component: FunctionContent
  props: StyleguideContentProps
  /** Heading of the error. */
  errorTitle: string
}

/**
 * Calls a page's component. If the component throws, shows the error in its place. An error in a component further down
 * fails the whole page; the route then shows the error.
 */
function SafePage({ component, props, errorTitle }: SafePageProps): React.ReactNode {
  return tryRender(
    () => component(props),
    (thrown) => {
      console.error(`styleguide: the page '${props.page.title}' threw`, thrown)
      return <PageError title={errorTitle} error={thrown} />
    },
  )
}
