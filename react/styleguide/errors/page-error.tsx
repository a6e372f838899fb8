import * as React from 'react'
import { isDevelopment } from '../../../core/development.js'
import { isComponent, isFunctionContent, type StyleguideContent, type StyleguideContentProps } from '../content.js'

/** Shows an error in place of a page's content; in development, also shows its stack. */
export function PageError({ title, error }: { title: string; error: unknown }) {
  const stack = isDevelopment() && error instanceof Error ? error.stack : undefined
  return (
    <section className="sw-error" aria-labelledby="sw-error">
      <h2 id="sw-error">{title}</h2>
      <p>{describeThrownValue(error)}</p>
      {stack && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        <pre tabIndex={0}>{stack}</pre>
      )}
    </section>
  )
}

/** Describes a thrown value in words. */
export function describeThrownValue(error: unknown): string {
  if (error instanceof Error) {
    // Next.js withholds the message and logs the error under this digest on the server.
    const digest = 'digest' in error ? ` (digest ${error.digest})` : ''
    return `${error.name}: ${error.message}${digest}`
  }
  return typeof error === 'object' && error !== null ? 'A non-Error object was thrown.' : String(error)
}

interface SafeContentProps {
  content: StyleguideContent
  props: StyleguideContentProps
  /** Returns the element to show in place of content that threw. */
  renderError: (thrown: unknown) => React.ReactElement
}

/**
 * Shows content. If its component, or the component of its single element, throws or rejects, shows the error in its
 * place. An error in a component further down fails the whole page; the route then shows the error. An error boundary
 * would not work, because React ignores error boundaries on the server. Control flow of React and Next.js is rethrown.
 */
export function SafeContent({ content, props, renderError }: SafeContentProps): React.ReactNode {
  const render = findRender(content, props)
  if (!render) return isComponent(content) ? React.createElement(content, props) : content
  const handleError = (thrown: unknown) => {
    if (isControlFlow(thrown)) throw thrown
    return renderError(thrown)
  }
  try {
    const node = render()
    // Return a promise only for async components, because React 18 cannot render promises.
    return isPromise(node) ? (node.then(undefined, handleError) as React.ReactNode) : node
  } catch (thrown) {
    return handleError(thrown)
  }
}

/** Returns a function that calls the component of the content; `undefined` if only React can call the component. */
function findRender(content: StyleguideContent, props: StyleguideContentProps) {
  if (isFunctionContent(content)) return () => content(props)
  if (!React.isValidElement<StyleguideContentProps>(content)) return undefined
  const type = content.type as StyleguideContent
  return isFunctionContent(type) ? () => type(content.props) : undefined
}

/**
 * Whether a thrown value is control flow of React or Next.js, which must be rethrown: a Suspense promise, React 19's
 * Suspense exception (in production, the errors 460 and 542), or an error of a Next.js function such as `notFound()` or
 * `redirect()`. The digest of such a Next.js error is a word; the digest of an error in a server component is a number.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if (isPromise(thrown) || '$$typeof' in thrown) return true
  if ('digest' in thrown && typeof thrown.digest === 'string' && /^[A-Z]/.test(thrown.digest)) return true
  return thrown instanceof Error && /^Suspense Exception|React error #(?:460|542)\b/.test(thrown.message)
}

/** Whether a value is a promise or a thenable. */
function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
