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

/**
 * Catches errors in the browser and shows them in place of the page's content. On Next.js, this includes errors in
 * components below the page's component, because Next.js then renders them in the browser. Without support for client
 * components, the boundary has no effect.
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
    return <PageError title={this.props.errorTitle} error={thrown.error} />
  }
}
