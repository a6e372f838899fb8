'use client'

import * as React from 'react'
import { isControlFlow } from './control-flow.js'
import { PageError } from './page-error.js'

interface ContentBoundaryProps {
  /** Heading of the error. */
  errorTitle: string
  children: React.ReactNode
}

interface ContentBoundaryState {
  thrown?: { error: unknown }
}

/**
 * Shows what a page's content throws in the browser, in its place. On Next.js this includes everything that throws below
 * the page's own component, since Next.js then leaves rendering to the browser. Does nothing without client components.
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
