import type * as React from 'react'
import { isControlFlow, isPromise } from './control-flow.js'

/**
 * What a component makes, or, where it throws or rejects, what explains that. An error boundary would be of no use: React
 * has none on the server. What steers React goes on.
 */
export function tryRender(
  make: () => React.ReactNode | Promise<React.ReactNode>,
  explain: (thrown: unknown) => React.ReactElement,
): React.ReactNode {
  const explainError = (thrown: unknown) => {
    if (isControlFlow(thrown)) throw thrown
    return explain(thrown)
  }
  try {
    const made = make()
    // Waited for only where the component is async, since React 18 renders no promise.
    return isPromise(made) ? (made.then(undefined, explainError) as React.ReactNode) : made
  } catch (thrown) {
    return explainError(thrown)
  }
}
