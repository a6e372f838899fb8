import type * as React from 'react'
import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import {
  arrangeMatrix,
  type Change,
  compareStyleguides,
  describeStyleguide,
  measureOn,
  mergeModes,
  nearestToken,
  type Palette,
  type PaletteColor,
  pushTo,
  type StyleguideState,
  textOn,
  tokensIn,
  toSrgb,
  valueIn,
} from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { PageSection } from '../pages/page-section.js'
import { Painted } from '../pages/painted.js'

interface ChangesProps {
  tree: StyleguideTree
  rootHref: string
  since: StyleguideState
}

/** The name of a kind's values: `colors`, `font sizes`, `line heights`. */
const nounOf = (kind: string) =>
  kind.replace(/^sizes/, 'font sizes').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
const titleOf = (kind: string) => nounOf(kind).replace(/^./, (letter) => letter.toUpperCase())
const singularOf = (noun: string) =>
  noun.replace(/ies$/, 'y').replace(/radii$|s$/, (end) => (end === 's' ? '' : 'radius'))
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
    const noun = kind === 'spacing' ? 'steps' : nounOf(kind)
    return `${length} ${length === 1 ? singularOf(noun) : noun}`
  })
  if (counts.length === 0) return null
  return (
    <p className="sw-deck sw-since">
      {(groups.get('colors') ?? []).slice(0, 6).map(({ name, before, now }) => (
        <Bands key={name} values={[before, now].flatMap((side) => [...(side?.values() ?? [])].slice(0, 1))} />
      ))}
      <a href={href}>
        {counts.join(', ').replace(/, (?=[^,]*$)/, ' and ')} since {dateOf(since)}
      </a>
    </p>
  )
}

/** Shows what changed since a state, before beside after: colors as split swatches, other values as text. */
export function ChangesPage({ tree, rootHref, since }: ChangesProps): React.ReactElement {
  const now = describeStyleguide(tree, rootHref)
  const groups = groupChanges(since, now)
  const colors = tokensIn(now.tokens).filter(({ token }) => token.kind === 'colors')
  const palette = mergeModes(colors.map(({ token, mode }) => ({ name: token.name, value: token.css, mode })))
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
          <ul>
            {changes.map((change) => (
              <li key={change.name} className="sw-changed">
                <Side values={changedOf(change.before, change.now)} missing="was not there" kind={kind} />
                <Side values={changedOf(change.now, change.before)} missing="gone" kind={kind} />
                <div>
                  <strong>{change.now && change.href ? <a href={change.href}>{change.name}</a> : change.name}</strong>{' '}
                  <small>{change.before ? (change.now ? '' : 'gone') : 'added'}</small>
                  {(kind === 'colors' ? notesOn(change, palette) : stepsOf(change)).map((note) => (
                    <div key={note}>{note}</div>
                  ))}
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

function Side({ values, missing, kind }: { values: Change['now']; missing: string; kind: string }) {
  if (!values) return <div className="sw-missing">{missing}</div>
  return (
    <div className="sw-was">
      {Array.from(values, ([label, value]) => {
        if (kind === 'colors')
          return (
            <Painted key={label} text={textOn(value, [], 4.5)} ground={value}>
              {value} {label}
            </Painted>
          )
        return (
          <code key={label}>
            {kind === 'spacing' && (
              <svg width={side(value)} height={side(value)} aria-hidden="true">
                <rect width="100%" height="100%" fill="var(--sw-accent)" />
              </svg>
            )}{' '}
            {value}
          </code>
        )
      })}
    </div>
  )
}

/** The side of a square for a distance. A negative one has its own sign beside it. */
const side = (value: string) => `min(${value.replace(/^-/, '')}, 64px)`

/** Returns the values before and after: `32px → 40px`. */
function stepsOf({ kind, before, now }: Change): string[] {
  if (kind === 'components' || !before || !now) return []
  return Array.from(now, ([mode, value]) => `${before.get(mode)} → ${value}`)
}

const verdicts = { AAA: 'for every text', AA: 'for every text', 'AA large': 'for large text only', none: 'for no text' }

/**
 * Describes a color's change in each mode: how far it moved, and its contrast with each color that belongs to it;
 * for one that is gone, the nearest.
 */
function notesOn({ name, before = new Map(), now }: Change, palette: Palette): string[] {
  const { own, texts, grounds } = arrangeMatrix(palette)
  const isOf = (color: PaletteColor) => color.name === name
  // A text that belongs to no ground by its name stands on the page.
  const onPage = own.some(({ text }) => isOf(text)) ? [] : texts.filter(isOf)
  const pairs = [
    ...own.filter(({ text, ground }) => isOf(text) || isOf(ground)),
    ...grounds.slice(0, 1).flatMap((ground) => onPage.map((text) => ({ text, ground }))),
  ]
  return Array.from(now ?? before, ([mode, value]) => {
    const valueNow = (color: PaletteColor) => valueIn(color, palette.modes, mode) ?? ''
    const was: string | undefined = before.get(mode)
    if (!now)
      return nearest(
        value,
        palette.colors.map((color) => ({ name: color.name, value: valueNow(color) })),
      )
    if (was === value) return ''
    const contrasts = pairs.map(({ text, ground }) => {
      const measured = [was, value].flatMap((side) => {
        const [over, under] = isOf(text) ? [side, valueNow(ground)] : [valueNow(text), side]
        return (over && under && measureOn(over, under)) || []
      })
      const [old, present = old] = measured.map(({ level }) => verdicts[level])
      const ratios = measured.map(({ ratio }) => ratio.toFixed(2)).join(' → ')
      return `${isOf(text) ? `on ${ground.name}` : `${text.name} on it`}: ${ratios}${old === present ? '' : `, now ${present}`}`
    })
    const notes = [...(was ? [nearest(was, [{ name: '', value }])] : []), ...contrasts]
    return notes.length > 0 ? `${now.size > 1 ? `${mode}: ` : ''}${notes.join('; ')}` : ''
  }).filter(Boolean)
}

/** Names the nearest of some colors, and how far it is. */
function nearest(value: string, colors: readonly { name: string; value: string }[]): string {
  const measured = toSrgb(value)
  const tokens = colors.map((color) => ({ name: color.name, measured: toSrgb(color.value) }))
  const found = measured && nearestToken(measured, tokens)
  return found ? `${found.token.name && `Nearest: ${found.token.name}, `}ΔE ${found.difference}` : ''
}
