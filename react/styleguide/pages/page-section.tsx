import type * as React from 'react'
import { slugify } from '../../../core/styleguide/internal.js'

interface PageSectionProps {
  title: string
  /** The heading's id, for deep links. Default: the title's slug. */
  id?: string | undefined
  children: React.ReactNode
}

/** A section of a page under a heading that links to itself. */
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

/** A text that the script copies. The note before the text is not copied. */
export function Copy({ text, note }: { text: string; note?: string | undefined }) {
  return (
    <button className="sw-copy" type="button">
      {note}
      <code>{text}</code>
    </button>
  )
}

interface TableSectionProps {
  title: string
  className: string
  head: readonly string[]
  /** The cells of each row. The first cell is the header of the row. */
  rows: readonly (readonly React.ReactNode[])[]
}

/** A section with a table, which scrolls if it is too wide, also with the keyboard. */
export function TableSection({ title, className, head, rows }: TableSectionProps) {
  return (
    <PageSection title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
      <section className="sw-scroll" aria-label={`Table of ${title.toLowerCase()}`} tabIndex={0}>
        <table className={className}>
          <thead>
            <tr>
              {head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([header, ...cells], row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows may repeat
              <tr key={row}>
                <th scope="row">{header}</th>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </PageSection>
  )
}
