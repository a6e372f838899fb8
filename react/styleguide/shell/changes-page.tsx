import type * as React from 'react'
import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import {
  arrangeMatrix,
  type Change,
  compareStyleguides,
  describeShift,
  describeStyleguide,
  measureOn,
  mergeModes,
  nearestToken,
  type Palette,
  type PaletteColor,
  pixelsAt,
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
import { formatRatio } from '../pages/trial-answer.js'

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
    <p className="sw-face sw-small sw-since">
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
      {Array.from(groups, ([kind, changes], index) => (
        <PageSection key={kind} title={titleOf(kind)}>
          {index === 0 && (
            <div className="sw-changed" aria-hidden="true">
              <small>{dateOf(since)}</small> <small>Today</small> <span />
            </div>
          )}
          <ul>
            {changes.map((change) => (
              <li key={change.name} className="sw-changed">
                <Side values={changedOf(change.before, change.now)} missing="Was not there" kind={kind} />
                <Side values={changedOf(change.now, change.before)} missing="Gone" kind={kind} />
                <div>
                  <strong>{change.now && change.href ? <a href={change.href}>{change.name}</a> : change.name}</strong>{' '}
                  <small>{!change.before ? 'added' : !change.now && 'gone'}</small>
                  <br />
                  {kind === 'colors' ? notesOn(change, palette, colors) : stepsOf(change)}
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
  if (!values) return <div className="sw-was sw-missing">{missing}</div>
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
            {value.replace(/^(-?[\d.]+)px$/, '$1 px')}
          </code>
        )
      })}
    </div>
  )
}

/** The side of a square for a distance. A negative one has its own sign beside it. */
const side = (value: string) => `min(${value.replace(/^-/, '')}, 64px)`

/** Says by how much a length has changed. The values themselves are beside it. */
function stepsOf({ before, now }: Change): React.ReactNode {
  const [was = '', is = ''] = [before, now].flatMap((values) => [...(values?.values() ?? [])].slice(0, 1))
  if (![was, is].every((value) => /^-?[\d.]+(?:px|rem)$/.test(value))) return null
  const difference = Math.round(((pixelsAt(is, 1280) ?? 0) - (pixelsAt(was, 1280) ?? 0)) * 100) / 100
  return difference !== 0 && `${difference > 0 ? 'Larger' : 'Smaller'} by ${Math.abs(difference)} px`
}

const verdicts = { AAA: 'for every text', AA: 'for every text', 'AA large': 'for large text only', none: 'for no text' }

/**
 * Describes a color's change in words, then its contrast with each color that belongs to it; for one that is gone, the
 * nearest.
 */
function notesOn(change: Change, palette: Palette, tokens: ReturnType<typeof tokensIn>): React.ReactNode {
  const { name, before = new Map<string, string>(), now } = change
  const modes = [...(now ?? before).keys()].filter((mode) => before.get(mode) !== now?.get(mode))
  if (!now)
    return <Nearest value={before.get(`${modes[0]}`) ?? ''} tokens={tokens.filter(({ mode }) => mode === modes[0])} />
  const shifts = new Map<string, string[]>()
  const distances = modes.flatMap((mode) => {
    const [was = '', is = ''] = [before.get(mode), now.get(mode)]
    if (was) pushTo(shifts, describeShift(was, is), now.size > 1 ? mode : '')
    return nearest(was, [{ css: is }])?.difference ?? []
  })
  const phrase = Array.from(shifts, ([shift, modes]) =>
    [shift, ...(modes[0] ? ['in', modes.join(' and ')] : [])].join(' '),
  )
  const contrasts = pairsOf(name, palette).map(({ text, ground }) => {
    const isText = text.name === name
    const parts = modes.flatMap((mode) => {
      const other = valueIn(isText ? ground : text, palette.modes, mode) ?? ''
      const measured = [before, now].flatMap((values) => {
        const value = values.get(mode)
        return (value && (isText ? measureOn(value, other) : measureOn(other, value))) || []
      })
      const [old, present = old] = measured.map(({ level }) => verdicts[level])
      const ratios = measured.map(({ ratio }) => formatRatio(ratio)).join(' → ')
      return ratios
        ? `${ratios}${modes.length > 1 ? ` in ${mode}` : ''}${old === present ? '' : `, now ${present}`}`
        : []
    })
    return parts.length > 0 && `${isText ? `On ${ground.name}` : `With ${text.name} on it`}: ${parts.join('; ')}`
  })
  return (
    <>
      {phrase.length > 0 && (
        <div>
          {phrase.join(', ').replace(/^./, (letter) => letter.toUpperCase())}{' '}
          <small>ΔE {distances.join(' and ')}</small>
        </div>
      )}
      {contrasts.map((text) => text && <div key={text}>{text}</div>)}
    </>
  )
}

/** Returns the pairs of a color that belong together; a text that belongs to no ground stands on the page. */
function pairsOf(name: string, palette: Palette): { text: PaletteColor; ground: PaletteColor }[] {
  const { own, texts, grounds } = arrangeMatrix(palette)
  const isOf = (color: PaletteColor) => color.name === name
  const onPage = own.some(({ text }) => isOf(text)) ? [] : texts.filter(isOf)
  return [
    ...own.filter(({ text, ground }) => isOf(text) || isOf(ground)),
    ...grounds.slice(0, 1).flatMap((ground) => onPage.map((text) => ({ text, ground }))),
  ]
}

const nearest = <Token extends { css: string }>(value: string, tokens: readonly Token[]) => {
  const candidates = tokens.map((token) => ({ ...token, measured: toSrgb(token.css) }))
  return nearestToken(toSrgb(value) ?? Number.NaN, candidates)
}

/** Links the token that is nearest to a value, with its color. */
function Nearest({ value, tokens }: { value: string; tokens: ReturnType<typeof tokensIn> }) {
  const found = nearest(
    value,
    tokens.map(({ token }) => token),
  )
  return (
    found && (
      <>
        Nearest:{' '}
        <a href={found.token.href}>
          <svg className="sw-icon sw-bands" aria-hidden="true">
            <rect width="100%" height="100%" color={found.token.css} fill={found.token.css} />
          </svg>
          {found.token.name}
        </a>{' '}
        <small>ΔE {found.difference}</small>
      </>
    )
  )
}
