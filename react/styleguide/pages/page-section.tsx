import type * as React from 'react'
import { formatPixels, slugify } from '../../../core/styleguide/index.js'

interface PageSectionProps {
  title: string
  /** Of the heading, for deep links. Default: the title's slug. */
  id?: string | undefined
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
  /** What stands beside the value. Default: its pixels. */
  note?: string | undefined
  /** What stands beside the name. */
  mark?: React.ReactNode
  /** More about it, on a line of its own. */
  more?: string
  children?: React.ReactNode
}

/** A value: its name and what it is, beside its specimen. */
export function Row({ name, value, note = formatPixels(value), mark, more, children }: RowProps) {
  return (
    <li className="sw-row">
      <div className="sw-small">
        <div>
          <strong>{name}</strong> {mark}
        </div>
        <div>
          <code>{value}</code> {note && note !== value.replace(/(?=px$)/, ' ') && `· ${note}`}
        </div>
        {more && <code>{more}</code>}
      </div>
      {children}
    </li>
  )
}

interface ScrollableProps {
  /** What is in it, for those who reach it by the keyboard. */
  label: string
  className?: string
  children: React.ReactNode
}

/** What may be wider than its place: it scrolls on its own, by the keyboard too. */
export function Scrollable({ label, className = '', children }: ScrollableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <section className={`sw-scroll ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
