import type * as React from 'react'
import { formatPixels, slugify } from '../../core/styleguide/index.js'

interface PageSectionProps {
  title: string
  /** Of the heading, for deep links. Default: the title's slug. */
  id?: string
  children: React.ReactNode
}

/** A part of a page under a heading that can be linked to. */
export function PageSection({ title, id = slugify(title), children }: PageSectionProps) {
  return (
    <section className="sw-section" aria-labelledby={id}>
      <h2 id={id}>
        <a className="sw-anchor" href={`#${encodeURIComponent(id)}`}>
          {title}
        </a>
      </h2>
      {children}
    </section>
  )
}

interface RowProps {
  name: string
  /** As the configuration has it. */
  value: string
  /** More to say about it, in place of its pixels. */
  note?: React.ReactNode
  children?: React.ReactNode
}

/** A value: its name and what it is, beside its specimen. */
export function Row({ name, value, note = formatPixels(value), children }: RowProps) {
  return (
    <li className="sw-row">
      <p className="sw-caption">
        <strong>{name}</strong> <code>{value}</code> {note && <span>{note}</span>}
      </p>
      {children}
    </li>
  )
}
