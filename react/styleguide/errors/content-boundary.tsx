'use client'

import * as React from 'react'
import { PageError } from './page-error.js'
import { isControlFlow } from './try-render.js'

interface ContentBoundaryProps {
  /** Heading of the error. */
  errorTitle: string
  children: React.ReactNode
}

interface ContentBoundaryState {
  thrown?: { error: unknown }
}

/**
 * Shows the error of a page's content in the browser, in its place. On Next.js this includes everything that throws
 * below the page's own component, since Next.js then leaves rendering to the browser. Does nothing without client
 * components.
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
