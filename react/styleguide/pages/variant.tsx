import * as React from 'react'
import {
  isComponent,
  isFunctionContent,
  type StyleguideContent,
  type StyleguideContentProps,
  type StyleguideTree,
} from '../content.js'
import { describeThrownValue } from '../errors/page-error.js'
import { tryRender } from '../errors/try-render.js'
import { PageSection, Scrollable } from './page-section.js'

/** A variant of a component. */
export interface ComponentVariant {
  title: string
  /** Elements, or a component. If it throws, the error is shown in its place. */
  content: StyleguideContent
  /** Source code to show beside the variant: a snippet, or a module's text, for instance from Vite's `?raw`. */
  source?: string | undefined
  /** Further window widths to show the variant at, in pixels. Each gets a frame, where media queries apply. Default: `[]`. */
  widths?: readonly number[] | undefined
  /** Height of the frames in pixels. Default 320, which the styleguide's script adapts to the content. */
  height?: number | undefined
}

interface VariantProps {
  variant: ComponentVariant
  scheme: 'light' | 'dark' | undefined
  /** The variant's own page. */
  page: StyleguideTree
  /** URL of that page. */
  href: string | undefined
}

/** Shows a variant, with its source beside it and its frames below. */
export function VariantSection({ variant, scheme, page, href }: VariantProps) {
  const { title, content, source } = variant
  return (
    <PageSection title={title} id={page.path}>
      <div className={source === undefined ? undefined : 'sw-columns'}>
        <div>
          <p className="sw-small">
            <a href={href}>
              Open in a new page<span className="sw-hidden">: {title}</span>
            </a>
          </p>
          <div className={scheme ? `sw-preview sw-${scheme}` : 'sw-preview'}>
            <SafeVariant content={content} props={{ page, trail: [page], href: href ?? '' }} />
          </div>
        </div>
        {source !== undefined && (
          <details open>
            <summary className="sw-small">Source</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
            <pre className="sw-scroll" tabIndex={0}>
              {source.replace(/^\n+/, '').trimEnd()}
            </pre>
          </details>
        )}
      </div>
      <Frames variant={variant} href={href} />
    </PageSection>
  )
}

function Frames({ variant: { title, widths = [], height }, href }: Pick<VariantProps, 'variant' | 'href'>) {
  if (widths.length === 0) return null
  return (
    <Scrollable className="sw-frames" label={`${title} at several widths`}>
      {widths.map((width) => (
        <div key={width}>
          <p className="sw-small">{width} px</p>
          <iframe
            title={`${title} at ${width} pixels`}
            src={href}
            width={width}
            height={height ?? 320}
            loading="lazy"
            data-sw-fit={height === undefined ? '' : undefined}
          />
        </div>
      ))}
    </Scrollable>
  )
}

interface SafeVariantProps {
  content: StyleguideContent
  /** Props for content that is a component. */
  props: StyleguideContentProps
}

/**
 * Shows a variant's content. If its component or single element throws, shows the error in its place. An error in a
 * component further down fails the whole page.
 */
function SafeVariant({ content, props }: SafeVariantProps): React.ReactNode {
  const render = findRender(content, props)
  if (!render) return isComponent(content) ? React.createElement(content, props) : content
  return tryRender(render, renderError)
}

/** Returns a function that calls the content's own component; `undefined` if only React can call the component. */
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
