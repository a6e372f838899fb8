import type * as React from 'react'
import type { FunctionContent, StyleguideContentProps } from '../content.js'
import { PageError } from './page-error.js'
import { tryRender } from './try-render.js'

interface GuardedProps {
  component: FunctionContent
  given: StyleguideContentProps
  /** The title of the error. */
  failed: string
}

/**
 * Calls the component of a page, and shows in its place what it throws. What throws deeper, in a component of the
 * component's, fails the page; the route then shows it.
 */
export function SafePage({ component, given, failed }: GuardedProps): React.ReactNode {
  return tryRender(
    () => component(given),
    (thrown) => {
      console.error(`styleguide: the page '${given.page.title}' threw`, thrown)
      return <PageError title={failed} error={thrown} />
    },
  )
}
