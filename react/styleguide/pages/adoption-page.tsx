import type * as React from 'react'
import type { Adoption } from '../../../core/styleguide/index.js'
import { describeColor, type tokensIn } from '../../../core/styleguide/internal.js'
import { Bands } from './color-detail.js'
import { PageSection } from './page-section.js'

export interface AdoptionPageProps {
  /** The JSON that `npx sitewright styleguide check --json` prints. */
  adoption: Adoption
}

const names = { colors: 'Colors', sizes: 'Font sizes', spacings: 'Margins, paddings, gaps' }

/**
 * Shows how closely the site follows its styleguide: the share of values that are tokens, and all findings.
 *
 * @experimental
 * @example <AdoptionPage adoption={JSON.parse(await readFile('adoption.json', 'utf8'))} />
 */
export function AdoptionPage({ adoption }: AdoptionPageProps): React.ReactElement {
  return <Adopted {...adoption} tokens={[]} />
}

/** The page with links to the tokens of the styleguide. */
export function Adopted({ tokens, ...adoption }: Adoption & { tokens: ReturnType<typeof tokensIn> }) {
  const { shares, strays, pairs, pictures, headings, components } = adoption
  // Each finding has a subject, the rest of its phrase, and its place.
  const sections: readonly [title: string, rows: readonly (readonly React.ReactNode[])[]][] = [
    [
      'Values that are not tokens',
      strays.map(({ value, token: property, difference, property: of, place }) => {
        const { href, css = value } = tokens.find(({ token }) => token.property === property)?.token ?? {}
        const phrase = (
          <>
            : use {href && swatchOf(css)} <a href={href}>{property}</a>, {difference.replace(' ', '\u00a0')}
          </>
        )
        const subject = (
          <>
            {swatchOf(value)} {value}
          </>
        )
        return [subject, property && phrase, `${of} in ${place}`]
      }),
    ],
    [
      'Pairs that fail',
      pairs.map(({ text, ground, mode, contrast }) => [text, ` on ${ground}: ${contrast} in place of 4.5`, mode]),
    ],
    ['Pictures without a text', pictures.map(({ page, picture }) => [picture, '', page])],
    ['Headings that skip a level', headings.map(({ page, heading, after }) => [heading, ` after ${after}`, page])],
    ['Components', components.map(({ component, pages }) => [component, '', placesOf(pages)])],
  ]
  const count = shares.reduce((sum, { values, tokens }) => sum + values - tokens, 0)
  return (
    <>
      <p className="sw-deck">
        {count === 0
          ? 'Every value in the stylesheets is a token.'
          : `${count} values in the stylesheets are not tokens.`}
      </p>
      <ul className="sw-findings">
        {shares.map(({ kind, percent, tokens, values }) => (
          <li key={kind}>
            <span>
              <strong>{names[kind]}</strong> {`${tokens} of ${values}`}
            </span>
            <span className="sw-percent">{percent}&nbsp;%</span>
            <svg display="block" width="100%" height="12" aria-hidden="true">
              <rect fill="var(--sw-line)" width="100%" height="12" />
              <rect fill="var(--sw-accent)" width={`${percent}%`} height="12" />
            </svg>
          </li>
        ))}
      </ul>
      {sections.map(
        ([title, rows]) =>
          rows.length > 0 && (
            <PageSection key={title} title={title}>
              <ul className="sw-findings">
                {rows.map(([subject, phrase, place], index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: findings may repeat
                  <li key={index}>
                    <span>
                      <strong>{subject}</strong>
                      {phrase}
                    </span>
                    <small>{place}</small>
                  </li>
                ))}
              </ul>
            </PageSection>
          ),
      )}
    </>
  )
}

/** The swatch of a value that is a color. */
const swatchOf = (value: string) => describeColor(value) && <Bands values={[value]} />

function placesOf(pages: readonly string[]): React.ReactNode {
  if (pages.length < 4) return pages.join(', ') || 'on no page'
  return (
    <details>
      <summary>{pages.length} pages</summary>
      {pages.join(', ')}
    </details>
  )
}
