import { describeColor, type PaletteColor, valuesByMode } from '../../../core/styleguide/internal.js'
import { Bands, ColorDetail, type PaletteView } from './color-detail.js'
import { Breakable } from './page-section.js'
import type { ArrangedStrip, ArrangedSwatch } from './palette.js'

interface StripProps {
  strip: ArrangedStrip
  /** Whether the strip fills a line, with its name on the left. */
  isLine: boolean
  view: PaletteView
}

/** The most modes that a swatch shows: further bands would be too thin. The detail of a color shows all modes. */
export const maxBands = 4

/** A family of colors as touching swatches, with its name. */
export function Strip({ strip, isLine, view }: StripProps) {
  const { name = 'Single colors', isRamp, swatches, id } = strip
  const size = isLine ? 'sw-line' : `sw-w${columnsOf(strip, view.isDense)}`
  return (
    <section className={`sw-strip ${isRamp ? 'sw-ramp' : 'sw-set'} ${size}`} aria-labelledby={id}>
      <h2 id={id}>
        <a className="sw-anchor" href={`#${encodeURIComponent(id)}`}>
          {name}
        </a>
      </h2>
      <ul>
        {swatches.map((swatch) => (
          <SwatchItem key={swatch.id} swatch={swatch} stripId={id} view={view} />
        ))}
      </ul>
    </section>
  )
}

/** Returns how many of twelve columns a strip takes. Short strips share a line. A large palette is denser. */
function columnsOf({ name, swatches }: ArrangedStrip, isDense: boolean): number {
  const { length } = swatches
  if (name === undefined || length > (isDense ? 10 : 6)) return 12
  if (!isDense) return length < 3 ? 3 : length < 4 ? 4 : 6
  return length < 5 ? Math.max(2, length) : length < 6 ? 4 : length < 8 ? 6 : 8
}

interface SwatchItemProps {
  swatch: ArrangedSwatch
  stripId: string
  view: PaletteView
}

function SwatchItem({ swatch, stripId, view }: SwatchItemProps) {
  const { label, color, id } = swatch
  const values = valuesByMode(color, view.modes).slice(0, maxBands)
  return (
    <li>
      <a
        className="sw-chip"
        id={id}
        href={`#${encodeURIComponent(id)}`}
        aria-label={color.name}
        data-sw-value={summaryOf(color, values)}
      >
        <Bands values={values} />
        <span>
          <Breakable>{label}</Breakable>
          {color.declared.problem && ' ⚠'}
        </span>
      </a>
      <ColorDetail swatch={swatch} stripId={stripId} view={view} />
    </li>
  )
}

/** Returns the text that a swatch shows while it has the pointer or the focus. */
function summaryOf({ declared }: PaletteColor, values: readonly string[]): string {
  if (declared.problem) return declared.problem
  return values
    .map((value) => {
      const hex = describeColor(value)
      if (!hex || value.startsWith('#')) return value
      return `${value} ${hex.isInSrgb ? '' : '≈ '}${hex.hex}`
    })
    .join(' / ')
}
