import * as React from 'react'
import type { StyleguideContent, StyleguideContentProps } from './styleguide-page.js'

interface ContainedProps {
  content: StyleguideContent
  /** What content that is a component is given. */
  props: StyleguideContentProps
}

/**
 * Content whose own throw is shown in its place, since React has no error boundary on the server: that of the component
 * that it is, or of the one element that it is. What throws deeper fails the page.
 */
export function Contained({ content, props }: ContainedProps): React.ReactNode {
  const call = callOf(content, props)
  if (!call) return typeof content === 'function' ? React.createElement(content, props) : (content as React.ReactNode)
  try {
    const made = call()
    // Waited for only where the component is async, since React 18 renders no promise.
    return isPromise(made) ? (made.then(undefined, explain) as Promise<Awaited<React.ReactNode>>) : made
  } catch (thrown) {
    return explain(thrown)
  }
}

type PlainComponent = (props: object) => React.ReactNode | Promise<React.ReactNode>

function callOf(content: StyleguideContent, props: StyleguideContentProps) {
  if (isPlain(content)) return () => content(props)
  if (!React.isValidElement<object>(content)) return undefined
  const { type, props: own } = content
  return isPlain(type) ? () => type(own) : undefined
}

/** Whether this is a plain function: neither a class nor a reference to a client component, which only React calls. */
function isPlain(component: unknown): component is PlainComponent {
  return typeof component === 'function' && !('$$typeof' in component) && !component.prototype?.isReactComponent
}

function explain(thrown: unknown): React.ReactElement {
  if (isSignal(thrown)) throw thrown
  console.error('styleguide: a variant threw', thrown)
  return <p className="sw-problem">{thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}</p>
}

/**
 * Whether something was thrown to steer React or its framework: the promise of Suspense, or React 19's exception in its
 * stead (in production 460 and 542), and Next.js' `notFound()`, `redirect()` and the like, which bear a digest.
 */
function isSignal(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if (isPromise(thrown) || 'digest' in thrown) return true
  return thrown instanceof Error && /^Suspense Exception|React error #(?:460|542)\b/.test(thrown.message)
}

function isPromise(value: unknown): value is Promise<React.ReactNode> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
