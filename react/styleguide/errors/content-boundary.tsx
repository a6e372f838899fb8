'use client'

import * as React from 'react'
import { isControlFlow } from './control-flow.js'
import { PageError } from './page-error.js'

interface ContentBoundaryProps {
  /** The title of the error. */
  failed: string
  children: React.ReactNode
}

interface ContentBoundaryState {
  thrown?: { error: unknown }
}

/**
 * Shows in place what a page's content throws in a browser. On Next.js that is whatever throws below the page's own
 * component: the server gives the page up, and the browser renders it. Without client components it does nothing.
 */
export class ContentBoundary extends React.Component<ContentBoundaryProps, ContentBoundaryState> {
  override state: ContentBoundaryState = {}

  static getDerivedStateFromError(error: unknown): ContentBoundaryState {
    return { thrown: { error } }
  }

  override render(): React.ReactNode {
    const { thrown } = this.state
    if (!thrown) return this.props.children
    if (isControlFlow(thrown.error)) throw thrown.error
    return <PageError title={this.props.failed} error={thrown.error} />
  }
}
