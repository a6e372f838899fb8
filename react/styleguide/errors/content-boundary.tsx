'use client'

import * as React from 'react'
import { isControlFlow, PageError } from './page-error.js'

interface ContentBoundaryProps {
  /** Heading of the error. */
  errorTitle: string
  children: React.ReactNode
}

interface ContentBoundaryState {
  thrown?: { error: unknown }
}

class Boundary extends React.Component<ContentBoundaryProps, ContentBoundaryState> {
  override state: ContentBoundaryState = {}

  static getDerivedStateFromError(error: unknown): ContentBoundaryState {
    return { thrown: { error } }
  }

  override render(): React.ReactNode {
    const { thrown } = this.state
    if (!thrown) return this.props.children
    if (isControlFlow(thrown.error)) throw thrown.error
    return <PageError title={this.props.errorTitle} error={thrown.error} />
  }
}

/**
 * Catches errors in the browser and shows them in place of the page's content. On Next.js, this includes errors in
 * components below the page's component, because Next.js then renders them in the browser. Without support for client
 * components, the boundary renders the content and catches nothing.
 */
export const ContentBoundary = new Proxy(Boundary, {
  // Server components are called as functions, also this one where Next.js does not bundle packages
  // (`serverExternalPackages`) and so does not see 'use client'.
  apply: (_target, _this, [{ children }]: [ContentBoundaryProps]) => children,
})
