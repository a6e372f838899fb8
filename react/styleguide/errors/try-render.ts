import type * as React from 'react'
import { isControlFlow, isPromise } from './control-flow.js'

/**
 * Calls a component. If it throws or rejects, returns `renderError(thrown)` instead. Not an error boundary, since React has
 * none on the server. Control flow of React and Next.js is rethrown.
 */
export function tryRender(
  render: () => React.ReactNode | Promise<React.ReactNode>,
  renderError: (thrown: unknown) => React.ReactElement,
): React.ReactNode {
  const handleError = (thrown: unknown) => {
    if (isControlFlow(thrown)) throw thrown
    return renderError(thrown)
  }
  try {
    const node = render()
    // A promise only for async components, since React 18 cannot render promises.
    return isPromise(node) ? (node.then(undefined, handleError) as React.ReactNode) : node
  } catch (thrown) {
    return handleError(thrown)
  }
}
