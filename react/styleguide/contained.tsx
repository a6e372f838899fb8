import * as React from 'react'
import { isCallable, isComponent } from './page-content.js'
import { describeThrown } from './page-error.js'
import { isPromise, isSignal } from './signal.js'
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
  if (!call) return isComponent(content) ? React.createElement(content, props) : content
  try {
    const made = call()
    // Waited for only where the component is async, since React 18 renders no promise.
    return isPromise(made) ? (made.then(undefined, explain) as Promise<Awaited<React.ReactNode>>) : made
  } catch (thrown) {
    return explain(thrown)
  }
}

function callOf(content: StyleguideContent, props: StyleguideContentProps) {
  if (isCallable(content)) return () => content(props)
  if (!React.isValidElement<StyleguideContentProps>(content)) return undefined
  const type = content.type as StyleguideContent
  return isCallable(type) ? () => type(content.props) : undefined
}

function explain(thrown: unknown): React.ReactElement {
  if (isSignal(thrown)) throw thrown
  console.error('styleguide: a variant threw', thrown)
  return <strong className="sw-problem">{describeThrown(thrown)}</strong>
}
