import type * as React from 'react'
import type { FunctionContent, StyleguideContentProps } from '../content.js'
import { PageError } from './page-error.js'
import { tryRender } from './try-render.js'

interface SafePageProps {
  component: FunctionContent
  props: StyleguideContentProps
  /** Heading of the error. */
  errorTitle: string
}

/**
 * Calls a page's component and shows what it throws in its place. An error in a component further down fails the whole
 * page; the route then shows it.
 */
export function SafePage({ component, props, errorTitle }: SafePageProps): React.ReactNode {
  return tryRender(
    () => component(props),
    (thrown) => {
      console.error(`styleguide: the page '${props.page.title}' threw`, thrown)
      return <PageError title={errorTitle} error={thrown} />
    },
  )
}
