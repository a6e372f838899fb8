import type { StyleguideContent, StyleguideTree } from '../content.js'
import { SafeVariant } from '../errors/safe-variant.js'
import { PageSection, Scrollable } from './page-section.js'

/** One way to use a component. */
export interface ComponentVariant {
  title: string
  /** What it looks like: elements, or a component, of which a throw is shown in its place. */
  content: StyleguideContent
  /** How it is written, to be read beside it. A module's text, say by Vite's `?raw`, or what a reader would copy. */
  source?: string | undefined
  /** Widths of window, in pixels, at which it is shown, too: in a frame each, where media queries are real. */
  widths?: readonly number[] | undefined
  /** Height of those frames in pixels. Default 320, which `fitFrames` in the client script adapts to the content. */
  height?: number | undefined
}

interface VariantProps {
  variant: ComponentVariant
  scheme: 'light' | 'dark' | undefined
  /** The variant's own page, and its URL. */
  page: StyleguideTree
  href: string | undefined
}

/** A variant of a component: what it looks like, its source beside it, and its frames. */
export function Variant({ variant, scheme, page, href }: VariantProps) {
  const { title, content, source } = variant
  return (
    <PageSection title={title} id={page.path}>
      <div className={source === undefined ? undefined : 'sw-columns'}>
        <div>
          <p className="sw-small">
            <a href={href}>
              Open alone<span className="sw-hidden">: {title}</span>
            </a>
          </p>
          <div className={scheme ? `sw-preview sw-${scheme}` : 'sw-preview'}>
            <SafeVariant content={content} props={{ page, trail: [page], href: href ?? '' }} />
          </div>
        </div>
        {source !== undefined && (
          <details open>
            <summary className="sw-small">Source</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too */}
            <pre className="sw-scroll" tabIndex={0}>
              {source.replace(/^\n+|\s+$/g, '')}
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
