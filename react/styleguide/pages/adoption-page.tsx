import type * as React from 'react'
import type { Adoption } from '../../../core/styleguide/index.js'
import { adoptionTables, describeColor } from '../../../core/styleguide/internal.js'
import { Bands } from './color-detail.js'
import { TableSection } from './page-section.js'

export interface AdoptionPageProps {
  /** The JSON that `npx sitewright styleguide check --json` prints. */
  adoption: Adoption
}

const names = { colors: 'Colors', sizes: 'Font sizes', spacings: 'Margins, paddings, gaps' }

/**
 * Shows how closely the site follows its styleguide: the share of values that are tokens, and tables of all findings.
 *
 * @experimental
 * @example <AdoptionPage adoption={JSON.parse(await readFile('adoption.json', 'utf8'))} />
 */
export function AdoptionPage({ adoption }: AdoptionPageProps): React.ReactElement {
  const strays = adoption.shares.reduce((sum, { values, tokens }) => sum + values - tokens, 0)
  return (
    <>
      <p className="sw-deck">
        {strays === 0
          ? 'Every value in the stylesheets is a token.'
          : `${strays} values in the stylesheets are no tokens.`}
      </p>
      <ul className="sw-effects">
        {adoption.shares.map(({ kind, percent, tokens, values }) => (
          <li key={kind}>
            <strong>{names[kind]}</strong>
            <div className="sw-percent">{percent} %</div>
            <svg display="block" width="100%" height="12" aria-hidden="true">
              <rect fill="var(--sw-line)" width="100%" height="12" />
              <rect fill="var(--sw-accent)" width={`${percent}%`} height="12" />
            </svg>
            <div className="sw-small">{`${tokens} of ${values} values`}</div>
          </li>
        ))}
      </ul>
      {adoptionTables(adoption).map(({ title, head, rows }) => (
        <TableSection
          key={title}
          title={title}
          className="sw-props sw-findings"
          head={head}
          rows={rows.map((row) => row.map(showCell))}
        />
      ))}
    </>
  )
}

function showCell(cell: string | readonly string[]): React.ReactNode {
  if (cell.length === 0) return 'on no page'
  if (typeof cell === 'string' && describeColor(cell))
    return (
      <>
        <Bands values={[cell]} /> {cell}
      </>
    )
  if (typeof cell === 'string' || cell.length < 4) return [cell].flat().join(', ')
  return (
    <details>
      <summary>{cell.length} pages</summary>
      {cell.join(', ')}
    </details>
  )
}
