import * as React from 'react'
import { isComponent, isFunctionContent, type StyleguideContent, type StyleguideContentProps } from '../content.js'
import { describeThrownValue } from './page-error.js'
import { tryRender } from './try-render.js'

interface SafeVariantProps {
  content: StyleguideContent
  /** Props for content that is a component. */
  props: StyleguideContentProps
}

/**
 * Shows a variant's content, or, if its component or single element throws, the error in its place. An error in a
 * component further down fails the whole page.
 */
export function SafeVariant({ content, props }: SafeVariantProps): React.ReactNode {
  const render = findRender(content, props)
  if (!render) return isComponent(content) ? React.createElement(content, props) : content
  return tryRender(render, renderError)
}

/** Returns a call of the content's own component; `undefined` if only React can call it. */
function findRender(content: StyleguideContent, props: StyleguideContentProps) {
  if (isFunctionContent(content)) return () => content(props)
  if (!React.isValidElement<StyleguideContentProps>(content)) return undefined
  const type = content.type as StyleguideContent
  return isFunctionContent(type) ? () => type(content.props) : undefined
}

function renderError(thrown: unknown): React.ReactElement {
  console.error('styleguide: a variant threw', thrown)
  return <strong className="sw-problem">{describeThrownValue(thrown)}</strong>
}
