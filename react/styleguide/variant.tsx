import type { ComponentVariant } from './component-page.js'
import { Contained } from './contained.js'
import { PageSection, Scrollable } from './page-section.js'
import type { StyleguideTree } from './styleguide-page.js'

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
      <div className={source === undefined ? undefined : 'sw-beside'}>
        <div>
          <p className="sw-small">
            <a href={href}>
              Open alone<span className="sw-hidden">: {title}</span>
            </a>
          </p>
          <div className={scheme ? `sw-preview sw-${scheme}` : 'sw-preview'}>
            <Contained content={content} props={{ page, trail: [page], href: href ?? '' }} />
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
