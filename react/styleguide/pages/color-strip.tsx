import { createElement } from 'react'
import { describeColor, valueIn, valuesByMode } from '../../../core/styleguide/internal.js'
import { Bands, ColorDetail, type ColorDetailProps, type PaletteView } from './color-detail.js'
import { SchemeIcon } from './mode-name.js'
import type { ArrangedStrip } from './palette.js'

interface StripProps {
  strip: ArrangedStrip
  /** Whether the strip is the only one, so that it needs no name. */
  isAlone: boolean
  view: PaletteView
}

/** The most modes that a swatch shows: further bands would be too thin. The detail of a color shows all modes. */
export const maxBands = 4

/** A family of colors as touching swatches, with its name. */
export function Strip({ strip, isAlone, view }: StripProps) {
  const { name = 'Single colors', isRamp, swatches, id } = strip
  // A strip with a row of its own in a large palette has its name on the left.
  const size = !view.isSmall && (swatches.length > 5 || !strip.name) ? 'sw-line' : `sw-n${swatches.length}`
  const places = view.isSmall ? evenRows(swatches.length, 7, 4) : []
  return (
    <section className={`sw-strip ${isRamp ? 'sw-ramp' : 'sw-set'} ${size}`} aria-labelledby={id}>
      <h2 id={id} className={isAlone ? 'sw-hidden' : undefined}>
        <a className="sw-anchor" href={`#${encodeURIComponent(id)}`}>
          {name}
        </a>
      </h2>
      <ul>
        {swatches.map((swatch, index) => (
          <SwatchItem key={swatch.id} swatch={swatch} stripId={id} place={places[index]} view={view} />
        ))}
      </ul>
    </section>
  )
}

/**
 * Returns for each of `count` items the classes for its share of a row, if rows hold at most `wide` items, or `narrow`
 * where room is scarce, and their lengths differ by one at most.
 */
export function evenRows(count: number, wide: number, narrow: number): string[] {
  const lengthAt = (index: number, most: number) => {
    const rows = Math.ceil(count / most)
    const [length, longer] = [Math.floor(count / rows), count % rows]
    return index < longer * (length + 1) ? length + 1 : length
  }
  return Array.from({ length: count }, (_, index) => `sw-k${lengthAt(index, wide)} sw-n${lengthAt(index, narrow)}`)
}

interface SwatchItemProps extends ColorDetailProps {
  /** Classes for the swatch's share of its row, if each row is filled. */
  place: string | undefined
}

/** A camel-case name that may break before its capitals, as arguments of `createElement`, which need no keys. */
// biome-ignore lint/correctness/useJsxKeyInIterable: see above
const breakable = (name: string) => name.split(/(?=[A-Z])/).flatMap((word) => [<wbr />, word])

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
        className={place ? `sw-chip ${place}` : 'sw-chip'}
        id={id}
        href={`#${encodeURIComponent(id)}`}
        aria-label={[
          ...[color.name, label].slice(0, color.name.endsWith(label) ? 1 : 2),
          ...printed.flatMap(({ mode, text }) => (isScheme || !mode ? text : [mode, text])),
        ].join(' ')}
      >
        {isScheme && values.length > 1 ? <Bands values={bands} first={75} /> : <Bands values={values} />}
        {createElement('span', null, ...breakable(label), color.declared.problem && ' ⚠')}
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
