import type * as React from 'react'
import { attempt } from './attempt.js'
import { PageError } from './page-error.js'
import type { CallableContent, StyleguideContentProps } from './styleguide-page.js'

interface GuardedProps {
  component: CallableContent
  given: StyleguideContentProps
  /** The title of the error. */
  failed: string
}

/**
 * Calls the component of a page, and shows in its place what it throws. What throws deeper, in a component of the
 * component's, fails the page; the route then shows it.
 */
export function Guarded({ component, given, failed }: GuardedProps): React.ReactNode {
  return attempt(
    () => component(given),
    (thrown) => {
      console.error(`styleguide: the page '${given.page.title}' threw`, thrown)
      return <PageError title={failed} error={thrown} />
    },
  )
}
