import type * as React from 'react'
import { PageError } from './page-error.js'
import { isPromise, isSignal } from './signal.js'
import type { StyleguideContentProps } from './styleguide-page.js'

/** A page's component that is a plain function, async perhaps. */
export type CallableContent = (props: StyleguideContentProps) => React.ReactNode | Promise<React.ReactNode>

interface GuardedProps {
  component: CallableContent
  given: StyleguideContentProps
  /** The title of the error. */
  failed: string
}

/**
 * Calls the component of a page, and shows in its place what it throws. An error boundary would be of no use: React has
 * none on the server. What throws deeper, in a component of the component's, fails the page; the route then shows it.
 */
export function Guarded({ component, given, failed }: GuardedProps): React.ReactNode {
  const explain = (thrown: unknown): React.ReactElement => {
    if (isSignal(thrown)) throw thrown
    console.error(`styleguide: the page '${given.page.title}' threw`, thrown)
    return <PageError title={failed} error={thrown} />
  }
  try {
    const content = component(given)
    // Waited for only where the component is async, since React 18 renders no promise.
    return isPromise(content) ? (content.then(undefined, explain) as React.ReactNode) : content
  } catch (thrown) {
    return explain(thrown)
  }
}
