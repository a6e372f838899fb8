import type * as React from 'react'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { describeSpacing, type SizeDescription } from '../../../core/spacing/internal.js'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { formatLength, pixelsAt, pushTo } from '../../../core/styleguide/internal.js'
import { TableSection } from './page-section.js'
import { codeOf, count, sortByLength, startOfStep, ValueList } from './value-list.js'

export interface SpacingPageProps {
  /** The site's own distances, as returned by a reader. Without `scale`, the page shows them alone. */
  spacing?: readonly DesignValue[] | undefined
  /**
   * The breakpoints and sizes of the site's spacing stylesheet. Default: the scale of `sitewright/spacing.css`, or no
   * scale if there is `spacing`.
   */
  scale?: SpacingScale<string, string> | undefined
}

/**
 * Shows the layout spacing: the scale as squares, or a long one as bars, and tables of the props for each size and each
 * breakpoint. Lengths are drawn with the custom properties and the window width of the page. Uses no inline styles and
 * no client JavaScript.
 *
 * @throws TypeError for an invalid name or length in the scale; the message names the option.
 * @example <SpacingPage scale={{ sizes: { tight: '0.5rem', loose: 'clamp(2rem, 6vw, 6rem)' } }} />
 */
export function SpacingPage({ spacing, scale }: SpacingPageProps): React.ReactElement {
  if (spacing && !scale) return <SpacingValues values={spacing} />
  const { sizes, breakpoints } = describeSpacing(scale)
  const ascending = sortByLength(sizes.map(scaleValue), 390)
  const [{ margin } = { margin: '' }] = breakpoints
  const code = (text: string) => <code>{text}</code>
  return (
    <>
      {spacing && <SpacingValues values={spacing} />}
      <Scale title={spacing ? 'Layout scale' : 'Scale'} values={ascending} />
      <TableSection
        title="Sizes"
        className="sw-props"
        head={['Top and bottom', 'Top', 'Bottom']}
        rows={ascending.map(({ name, top, bottom }) => [name, top, bottom].map((size) => code(`${margin}="${size}"`)))}
      />
      <TableSection
        title="Breakpoints"
        className="sw-props"
        head={['From', 'Outside of the element', 'Inside']}
        rows={breakpoints.map(({ width, margin, padding }) => [
          width === '0' ? 'all widths' : `${width}, ${formatLength(width)}`,
          ...[margin, padding].map(code),
        ])}
      />
      <p className="sw-small">A prop applies from its breakpoint up, until a wider one overrides the same side.</p>
    </>
  )
}

/** The values of the prop `spacing`. */
function SpacingValues({ values }: { values: readonly DesignValue[] }) {
  const withoutMode = values.filter(({ mode }) => mode === undefined)
  const [unit, ...others] = withoutMode
  if (!unit) return <p className="sw-empty">No spacing found</p>
  const isUnit = others.length === 0 && (pixelsAt(unit.value, 1280) ?? Infinity) <= longestUnit
  return <Scale values={isUnit ? multiplesOf(unit) : withoutMode} />
}

/** The multiples of a unit such as `--spacing` of Tailwind 4, whose utilities, such as `p-6`, take the factor. */
function multiplesOf(unit: DesignValue): DesignValue[] {
  return [1, 2, 3, 4, 6, 8, 12, 16, 24].map((factor) => {
    const [value, code] = [unit.value, codeOf(unit)].map((length) => `calc(${length} * ${factor})`)
    return { name: `${factor}`, value: value ?? '', source: { className: code } }
  })
}

interface ScaleValue extends DesignValue {
  /** The length as drawn, if the page may override the value. */
  drawn?: string
}

/** Returns a size of the layout scale as a value to draw. */
export function scaleValue({ length, property, ...size }: SizeDescription) {
  return { ...size, value: length, source: { property }, drawn: `var(${property}, ${length})` }
}

// A single value of up to `longestUnit` pixels is a unit. Up to `fewValues` lengths of up to `longest` pixels are
// squares in their true size; others are bars.
const [longestUnit, fewValues, longest] = [10, 12, 200]

type ScaleProps = { title?: string | undefined; values: readonly ScaleValue[] }

/** Distances as squares or bars in their true size, from the shortest to the longest. */
function Scale({ title, values }: ScaleProps) {
  const sorted = sortByLength(values, 390)
  const pixelsIn = (width: number) => values.flatMap(({ value }) => pixelsAt(value, width) ?? [])
  const [least, most] = [Math.min(...pixelsIn(390)), Math.round(Math.max(...pixelsIn(1280)))]
  const isFew = values.length <= fewValues && least >= 0 && most <= longest
  return (
    <>
      <p className="sw-deck">
        {`${count(sorted, 'step')}${Number.isFinite(most) ? `, ${least} to ${most} px` : ''}, in true size.`}
        {!isFew && ' A torn bar goes on, a lighter end grows with the window.'}
      </p>
      {(isFew ? [{ title, values: sorted }] : groupSteps(sorted)).map((group) => (
        <ValueList
          key={group.title ?? ''}
          {...group}
          form={isFew ? 'sw-lines' : 'sw-bars'}
          note={({ value }) => formatLength(value)}
        >
          {isFew ? Square : Bar}
        </ValueList>
      ))}
    </>
  )
}

/**
 * Groups values by the part of their names before the last hyphen or point. Words are a group apart from numbers, since
 * they often are something else, such as window widths. Groups of one or two join the values without such a part.
 */
function groupSteps(values: readonly ScaleValue[]): ScaleProps[] {
  const groups = new Map<string, ScaleValue[]>()
  const keyOf = ({ name }: ScaleValue) => {
    const start = startOfStep(name)
    return `${name.slice(0, Math.max(0, start - 1))}${/[a-z]/i.test(name.slice(start)) ? ', named' : ''}`
  }
  const keys = values.map(keyOf)
  for (const value of values) {
    const key = keyOf(value)
    pushTo(groups, keys.filter((other) => other === key).length > 2 ? key : '', value)
  }
  const titleOf = (key: string) => key || (groups.size > 1 ? 'others' : undefined)
  return Array.from(groups, ([key, group]) => ({ title: titleOf(key), values: group }))
}

function Square({ value, drawn = value }: ScaleValue) {
  return (
    <svg display="block" width="1em" height="1em" fontSize={drawn} aria-hidden="true">
      <rect width="100%" height="100%" fill="var(--sw-accent)" />
    </svg>
  )
}

/**
 * A length as a bar, which ends torn where its place ends, is hollow for a negative length, and lighter from the pixels
 * at a window width of 390 to those at 1280.
 */
function Bar({ value }: ScaleValue) {
  const isNegative = value.startsWith('-')
  const length = isNegative ? value.slice(1) : value
  const [narrow, wide] = [390, 1280].map((width) => pixelsAt(length, width))
  const color = isNegative ? { fill: 'none', stroke: 'var(--sw-accent)' } : { fill: 'var(--sw-accent)' }
  return (
    // The stylesheet tears a bar that is longer than its place: 1em is the length.
    <svg width="100%" height="12" fontSize={wide ?? length} strokeWidth="2" aria-hidden="true" {...color}>
      <rect width={wide ?? '1em'} height="12" fillOpacity={narrow === wide ? 1 : 0.4} />
      {narrow !== wide && <rect width={narrow} height="12" />}
    </svg>
  )
}
