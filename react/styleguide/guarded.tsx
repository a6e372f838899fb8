import type * as React from 'react'
import { PageError } from './page-error.js'
import type { StyleguideContentProps } from './styleguide-page.js'

interface GuardedProps {
  component: (props: StyleguideContentProps) => React.ReactNode | Promise<React.ReactNode>
  given: StyleguideContentProps
  /** The title of the error. */
  failed: string
}

/**
 * Calls the component of a page, and shows in its place what it throws. An error boundary would be of no use: React has
 * none on the server. What throws deeper, in a component of the component's, fails the page; the route then shows it.
 */
export function Guarded({ component, given, failed }: GuardedProps): React.ReactNode {
  const explain = (thrown: unknown) => {
    if (isSignal(thrown)) throw thrown
    console.error(`styleguide: the page '${given.page.title}' threw`, thrown)
    return <PageError title={failed} error={thrown} />
  }
  try {
    const content = component(given)
    // Waited for only where the component is async, since React 18 renders no promise.
    return isPromise(content) ? (content.then(undefined, explain) as Promise<Awaited<React.ReactNode>>) : content
  } catch (thrown) {
    return explain(thrown)
  }
}

/**
 * Whether something was thrown to steer React or its framework: the promise of Suspense, or React 19's exception in its
 * stead (in production 460 and 542), and Next.js' `notFound()`, `redirect()` and the like, which bear a digest.
 */
export function isSignal(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if (isPromise(thrown) || 'digest' in thrown || '$$typeof' in thrown) return true
  return thrown instanceof Error && /^Suspense Exception|React error #(?:460|542)\b/.test(thrown.message)
}

/** Whether a component is async. */
export function isPromise(value: unknown): value is Promise<React.ReactNode> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
