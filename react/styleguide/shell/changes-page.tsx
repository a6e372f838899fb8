import type * as React from 'react'
import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import {
  type Change,
  compareStyleguides,
  describeStyleguide,
  findGrounds,
  measureOn,
  mergeModes,
  nearestToken,
  pushTo,
  type StyleguideState,
  svgFill,
  textOn,
  tokensIn,
  toSrgb,
} from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { PageSection } from '../pages/page-section.js'

interface ChangesProps {
  tree: StyleguideTree
  rootHref: string
  since: StyleguideState
}

const titles: Readonly<Record<string, string>> = { colors: 'Colors', spacing: 'Spacing', sizes: 'Font sizes' }
const titleOf = (kind: string) => titles[kind] ?? kind.replace(/^./, (letter) => letter.toUpperCase())
const dateOf = ({ date }: StyleguideState) =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

function groupChanges(since: StyleguideState, now: StyleguideIndex): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of compareStyleguides(since.index, now)) pushTo(groups, change.kind, change)
  return groups
}

/** The line of the cover: `3 colors, 1 component since 12 November`. Renders nothing if nothing changed. */
export function ChangesLine({ tree, rootHref, since, href }: ChangesProps & { href: string | undefined }) {
  const groups = groupChanges(since, describeStyleguide(tree, rootHref))
  const counts = Array.from(groups, ([kind, { length }]) => {
    const noun = titleOf(kind).toLowerCase()
    return `${length} ${length === 1 ? noun.replace(/s$/, '') : noun}`
  })
  if (counts.length === 0) return null
  return (
    <p className="sw-deck sw-since">
      {(groups.get('colors') ?? []).slice(0, 6).map(({ name, before, now }) => (
        <Bands key={name} values={[before, now].flatMap((side) => [...(side?.values() ?? [])].slice(0, 1))} />
      ))}
      <a href={href}>
        {counts.join(', ')} since {dateOf(since)}
      </a>
    </p>
  )
}

/** Shows what changed since a state, before beside after: colors as split swatches, other values as text. */
export function ChangesPage({ tree, rootHref, since }: ChangesProps): React.ReactElement {
  const now = describeStyleguide(tree, rootHref)
  const groups = groupChanges(since, now)
  return (
    <>
      <p className="sw-deck">
        Since {dateOf(since)}, when <code>sitewright styleguide</code> kept the state last.{' '}
        {groups.size > 0 ? 'Everything else is as it was.' : 'Nothing has changed.'}
      </p>
      {Array.from(groups, ([kind, changes]) => (
        <PageSection key={kind} title={titleOf(kind)}>
          <p className="sw-changed sw-small" aria-hidden="true">
            <span>{dateOf(since)}</span> <span>today</span> <span />
          </p>
          <ul className="sw-rows">
            {changes.map((change) => (
              <li key={change.name} className="sw-changed">
                <Side values={changedOf(change.before, change.now)} missing="was not there" kind={kind} />
                <Side values={changedOf(change.now, change.before)} missing="gone" kind={kind} />
                <div>
                  <strong>{change.now && change.href ? <a href={change.href}>{change.name}</a> : change.name}</strong>{' '}
                  <small>{change.before ? (change.now ? '' : 'gone') : 'added'}</small>
                  {kind === 'colors' && notesOn(change, now).map((note) => <div key={note}>{note}</div>)}
                </div>
              </li>
            ))}
          </ul>
        </PageSection>
      ))}
    </>
  )
}

/** Returns the values that the other side does not have in the same mode. */
function changedOf(values: Change['now'], others: Change['now']): Change['now'] {
  return values && new Map([...values].filter(([label, value]) => others?.get(label) !== value))
}

interface SideProps {
  values: Change['now']
  missing: string
  kind: string
}

function Side({ values, missing, kind }: SideProps) {
  if (!values) return <div className="sw-missing">{missing}</div>
  return (
    <div>
      {Array.from(values, ([label, value]) => (
        <div key={label} className="sw-was">
          {kind === 'colors' ? (
            <svg className="sw-paint" color={textOn(value, [])} aria-hidden="true">
              <rect width="100%" height="100%" fill={svgFill({ name: '', value })} />
              <foreignObject width="100%" height="100%">
                <div>
                  {value} {label}
                </div>
              </foreignObject>
            </svg>
          ) : (
            <svg width="48" height="48" aria-hidden="true">
              {kind === 'spacing' && <rect width={side(value)} height={side(value)} fill="var(--sw-accent)" />}
            </svg>
          )}
          <code className={kind === 'colors' ? 'sw-hidden' : undefined}>{value}</code>
        </div>
      ))}
    </div>
  )
}

/** The side of a square for a distance. A negative one has its own sign beside it. */
const side = (value: string) => value.replace(/^-/, '')

const verdicts = { AAA: 'AAA', AA: 'for every text', 'AA large': 'for large text', none: 'for no text' }

/** Returns how far a color has moved in each mode, and its contrast on the page's ground; for one that is gone, the nearest. */
function notesOn({ name, before = new Map(), now }: Change, index: StyleguideIndex): string[] {
  const colors = tokensIn(index.tokens)
    .filter(({ token }) => token.kind === 'colors')
    .map(({ token, mode }) => ({ name: token.name, value: token.css, mode, measured: toSrgb(token.css) }))
  const [ground] = findGrounds(mergeModes(colors))
  return Array.from(before, ([mode, was]) => {
    const value = now?.get(mode)
    const measured = toSrgb(was)
    const ofMode = colors.filter((color) => color.mode === mode && (!now || color.name === name))
    const found = measured && nearestToken(measured, ofMode)
    if (!found || value === was) return ''
    if (!now) return `Nearest: ${found.token.name}, ΔE ${found.difference}`
    const over = name === ground?.name ? undefined : ground?.tones.find((tone) => tone.mode === mode)?.value
    const [old, present] = [was, value ?? ''].map((color) => (over ? measureOn(color, over) : undefined))
    const verdict = old?.level === present?.level ? '' : `, now ${verdicts[present?.level ?? 'none']}`
    const contrast = old && present ? `; on ${ground?.name}: ${old.ratio} → ${present.ratio}${verdict}` : ''
    return `${before.size > 1 ? `${mode}: ` : ''}ΔE ${found.difference}${contrast}`
  }).filter(Boolean)
}
