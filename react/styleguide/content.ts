import type * as React from 'react'
import { isValidElement } from 'react'
import type { StyleguideNode } from '../../core/styleguide/index.js'

/** The props of a page's component. */
export interface StyleguideContentProps {
  /** The page itself. */
  page: StyleguideTree
  /** The pages from the root to this page, both included. */
  trail: readonly StyleguideTree[]
  /** URL of the page. */
  href: string
}

/** A function component. It may be async on Next.js, and on other servers that stream with React 19. */
export type FunctionContent = (props: StyleguideContentProps) => React.ReactNode | Promise<React.ReactNode>

/** The content of a page: a component (on Next.js it may be a server component) or elements. */
export type StyleguideContent = FunctionContent | React.ComponentClass<StyleguideContentProps> | React.ReactNode

/** A styleguide of React pages. */
export type StyleguideTree = StyleguideNode<StyleguideContent>

/**
 * Whether content is a plain function. Classes and references to client components are not plain functions, because
 * only React can call them.
 */
export function isFunctionContent(content: StyleguideContent): content is FunctionContent {
  return typeof content === 'function' && !('$$typeof' in content) && !content.prototype?.isReactComponent
}

const componentTypes = new Set<unknown>([Symbol.for('react.memo'), Symbol.for('react.forward_ref')])

/** Whether content is a component of any kind. */
export function isComponent(content: StyleguideContent): content is Exclude<StyleguideContent, React.ReactNode> {
  if (typeof content === 'function') return true
  return (
    typeof content === 'object' && content !== null && '$$typeof' in content && componentTypes.has(content.$$typeof)
  )
}

/**
 * The `dangerouslySetInnerHTML` of an element whose content the script writes and React must not change. It is a
 * constant, because React compares it by identity.
 */
export const filledByScript = { __html: '' }

const longText = 2_000

/** Returns the text of elements and their children, without the text that components render. */
export function textOf(content: unknown): string {
  if (typeof content === 'string' || typeof content === 'number') return String(content)
  if (Array.isArray(content)) return content.map(textOf).join(' ').slice(0, longText)
  return isValidElement<{ children?: unknown }>(content) ? textOf(content.props.children) : ''
}
