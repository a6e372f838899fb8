import type { StyleguideContent, StyleguideTree } from '../content.js'
import { SafeVariant } from '../errors/safe-variant.js'
import { PageSection, Scrollable } from './page-section.js'

/** A variant of a component. */
export interface ComponentVariant {
  title: string
  /** Elements, or a component. If it throws, the error is shown in its place. */
  content: StyleguideContent
  /** Source code to show beside it: a snippet, or a module's text, for instance by Vite's `?raw`. */
  source?: string | undefined
  /** Window widths in pixels to show it at as well, each in a frame, where media queries apply. Default: none. */
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
