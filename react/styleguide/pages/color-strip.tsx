import { describeColor, valueIn, valuesByMode } from '../../../core/styleguide/internal.js'
import { Bands, ColorDetail, type PaletteView } from './color-detail.js'
import { SchemeIcon } from './mode-name.js'
import { Breakable } from './page-section.js'
import type { ArrangedStrip, ArrangedSwatch } from './palette.js'

interface StripProps {
  strip: ArrangedStrip
  /** Whether the strip fills a line, with its name on the left. */
  isLine: boolean
  /** Whether the strip is the only one, so that it needs no name. */
  isAlone: boolean
  view: PaletteView
}

/** The most modes that a swatch shows: further bands would be too thin. The detail of a color shows all modes. */
export const maxBands = 4

/** A family of colors as touching swatches, with its name. */
export function Strip({ strip, isLine, isAlone, view }: StripProps) {
  const { name = 'Single colors', isRamp, swatches, id } = strip
  const size = isLine ? 'sw-line' : `sw-n${swatches.length}`
  const [wide, narrow] = [7, 4].map((most) => evenRows(swatches.length, most))
  return (
    <section className={`sw-strip ${isRamp ? 'sw-ramp' : 'sw-set'} ${size}`} aria-labelledby={id}>
      <h2 id={id} className={isAlone ? 'sw-hidden' : undefined}>
        <a className="sw-anchor" href={`#${encodeURIComponent(id)}`}>
          {name}
        </a>
      </h2>
      <ul>
        {swatches.map((swatch, index) => {
          const place = view.isSmall ? ` sw-k${wide?.[index]} sw-n${narrow?.[index]}` : ''
          return <SwatchItem key={swatch.id} swatch={swatch} stripId={id} place={place} view={view} />
        })}
      </ul>
    </section>
  )
}

/**
 * Returns for each of `count` items how many share its row, if rows hold at most `most` items and their lengths differ
 * by one at most.
 */
export function evenRows(count: number, most: number): number[] {
  const rows = Math.ceil(count / most)
  const [length, longer] = [Math.floor(count / rows), count % rows]
  return Array.from({ length: count }, (_, index) => (index < longer * (length + 1) ? length + 1 : length))
}

interface SwatchItemProps {
  swatch: ArrangedSwatch
  stripId: string
  /** Classes for the swatch's share of its row. */
  place: string
  view: PaletteView
}

function SwatchItem({ swatch, stripId, place, view }: SwatchItemProps) {
  const { label, color, id } = swatch
  const { modes, isScheme } = view
  const values = valuesByMode(color, modes).slice(0, maxBands)
  const bands = [values, [...values].reverse()].map((pair) => `light-dark(${pair.join(', ')})`)
  const printed = (isScheme || values.length > 1 ? modes.slice(0, maxBands) : ['']).flatMap((mode) => {
    const value = mode === '' ? values[0] : valueIn(color, modes, mode)
    return value && view.isSmall ? { mode, text: describeColor(value)?.hex ?? value } : []
  })
  return (
    <li>
      <a
        className={`sw-chip${place}`}
        id={id}
        href={`#${encodeURIComponent(id)}`}
        aria-label={[
          color.name,
          ...printed.flatMap(({ mode, text }) => (isScheme || !mode ? text : [mode, text])),
        ].join(' ')}
      >
        {isScheme && values.length > 1 ? <Bands values={bands} first={75} /> : <Bands values={values} />}
        <span>
          <Breakable>{label}</Breakable>
          {color.declared.problem && ' ⚠'}
        </span>
        {printed.map(({ mode, text }) => (
          <small key={mode}>
            {' '}
            {isScheme ? <SchemeIcon scheme={mode} /> : mode} <code>{text}</code>
          </small>
        ))}
      </a>
      <ColorDetail swatch={swatch} stripId={stripId} view={view} />
    </li>
  )
}
