import * as React from 'react'
import { isComponent, isFunctionContent, type StyleguideContent, type StyleguideContentProps } from '../content.js'
import { describeThrownValue } from './page-error.js'
import { tryRender } from './try-render.js'

interface ContainedProps {
  content: StyleguideContent
  /** What content that is a component is given. */
  props: StyleguideContentProps
}

/**
 * Content whose own throw is shown in its place: that of the component that it is, or of the one element that it is. What
 * throws deeper fails the page.
 */
export function SafeVariant({ content, props }: ContainedProps): React.ReactNode {
  const call = callOf(content, props)
  if (!call) return isComponent(content) ? React.createElement(content, props) : content
  return tryRender(call, explain)
}

function callOf(content: StyleguideContent, props: StyleguideContentProps) {
  if (isFunctionContent(content)) return () => content(props)
  if (!React.isValidElement<StyleguideContentProps>(content)) return undefined
  const type = content.type as StyleguideContent
  return isFunctionContent(type) ? () => type(content.props) : undefined
}

function explain(thrown: unknown): React.ReactElement {
  console.error('styleguide: a variant threw', thrown)
  return <strong className="sw-problem">{describeThrownValue(thrown)}</strong>
}
