import type * as React from 'react'
import type { ComponentVariant } from './component-page.js'
import { Contained } from './contained.js'
import { PageSection } from './page-section.js'
import type { StyleguideTree } from './styleguide-page.js'

interface VariantProps {
  id: string
  variant: ComponentVariant
  /** The variant's own page, and its URL. */
  page: StyleguideTree
  href: string | undefined
}

/** A variant of a component: what it looks like, its source beside it, and its frames. */
export function Variant({ id, variant, page, href }: VariantProps) {
  const { title, source, widths = [], height } = variant
  return (
    <PageSection title={title} id={id}>
      <div className={source === undefined ? 'sw-variant' : 'sw-variant sw-beside'}>
        <div className="sw-preview">
          <Contained content={variant.content} props={{ page, trail: [page], href: href ?? '' }} />
        </div>
        {source !== undefined && (
          <details className="sw-details" open>
            <summary>Source</summary>
            <pre className="sw-scroll" role="region" aria-label={`Source of ${title}`} tabIndex={0}>
              <code>{source.replace(/^\n+|\s+$/g, '')}</code>
            </pre>
          </details>
        )}
      </div>
      {widths.length > 0 && (
        <div className="sw-scroll sw-frames">
          {widths.map((width) => (
            <figure key={width}>
              <figcaption>{width} px</figcaption>
              <iframe
                title={`${title} at ${width} pixels`}
                src={href}
                width={width}
                height={height ?? 320}
                loading="lazy"
                data-sw-fit={height === undefined ? '' : undefined}
              />
            </figure>
          ))}
        </div>
      )}
      <p className="sw-note">
        <a href={href}>
          Open alone<span className="sw-hidden">: {title}</span>
        </a>
      </p>
    </PageSection>
  )
}
