import {
  describeColor,
  measureOn,
  nearestColorName,
  type PaletteColor,
  svgFill,
  type Tone,
} from '../../../core/styleguide/internal.js'
import { ModeName, roomOf } from './mode-name.js'
import { Copy } from './page-section.js'
import { Sample } from './painted.js'
import type { ArrangedSwatch } from './palette.js'

/** A color with its values: a ground of the site, or a text. */
export interface Ground {
  name: string
  tones: readonly Tone[]
}

/** How a page shows its palette. */
export interface PaletteView {
  modes: readonly string[]
  /** Whether the modes are light and dark, so that a swatch follows the color scheme. */
  isScheme: boolean
  /** Returns the grounds and the texts of a color, those that belong to it by their names first. */
  othersOf: (color: PaletteColor) => { grounds: readonly Ground[]; texts: readonly Ground[] }
  /** Whether the palette is small, so that each swatch has its values printed under it. */
  isSmall: boolean
}

export interface ColorDetailProps {
  swatch: ArrangedSwatch
  /** The id of the strip's heading, the target of the link `Close`. */
  stripId: string
  view: PaletteView
}

/** A color's values in every notation, each with a copy button, and its contrast. Hidden until its swatch is chosen. */
export function ColorDetail({ swatch: { color, alsoNamed }, stripId, view }: ColorDetailProps) {
  const { name, declared, tones } = color
  const { property, className, token } = declared.source ?? {}
  const code = [property && `var(${property})`, className, token].filter((text) => text !== undefined)
  const everyday = new Set(tones.flatMap(({ value }) => nearestColorName(value) ?? []))
  return (
    <div className="sw-detail">
      <p>
        <strong>{name}</strong>
        <span>{[...everyday].join(', ')}</span>
        {declared.alias && <span>alias of {declared.alias}</span>}
        {alsoNamed.length > 0 && <span>also {alsoNamed.join(', ')}</span>}
        {declared.problem && <span className="sw-problem">{declared.problem}</span>}
        <a className="sw-close" href={`#${encodeURIComponent(stripId)}`}>
          Close
        </a>
      </p>
      {declared.description && <p>{declared.description}</p>}
      <div className="sw-rooms">
        {tones.map((tone) => tone.value && <ToneDetail key={tone.mode ?? ''} tone={tone} color={color} view={view} />)}
      </div>
      {code.length > 0 && (
        <div className="sw-codes">
          {code.map((text) => (
            <Copy key={text} text={text} />
          ))}
        </div>
      )}
    </div>
  )
}

interface ToneDetailProps {
  tone: Tone
  color: PaletteColor
  view: PaletteView
}

function ToneDetail({ tone, color, view }: ToneDetailProps) {
  const { mode, value, wide } = tone
  const info = describeColor(value)
  const { grounds, texts } = view.othersOf(color)
  return (
    <section className={`sw-tone ${roomOf(mode)}`}>
      {mode && <ModeName mode={mode} />}
      <Bands values={wide === undefined ? [value] : [value, wide]} />
      <div className="sw-codes">
        <Copy text={value} />
        {info && !value.startsWith('#') && <Copy text={info.hex} note={info.isInSrgb ? undefined : '≈'} />}
        {info && !value.startsWith('oklch(') && <Copy text={info.oklch} />}
        {wide && <Copy text={wide} note="P3" />}
      </div>
      <Contrasts title="As text on" tone={tone} others={grounds} isText />
      <Contrasts title="As the ground of" tone={tone} others={texts} />
    </section>
  )
}

interface ContrastsProps {
  title: string
  tone: Tone
  others: readonly Ground[]
  /** Whether the tone is the text, on the others. */
  isText?: boolean
}

/** The first pairs whose contrast is enough for any text; of one or two pairs, all. */
function Contrasts({ title, tone: { mode, value }, others, isText }: ContrastsProps) {
  const pairs = others.flatMap(({ name, tones }) => {
    const other = (tones.find((tone) => tone.mode === mode) ?? tones[0])?.value ?? ''
    const [text, ground] = isText ? [value, other] : [other, value]
    return other === value ? [] : [{ name, text, ground, ...measureOn(text, ground) }]
  })
  const measured = pairs.filter(({ ratio = 0 }) => ratio >= 3 || (ratio > 0 && pairs.length < 3))
  if (measured.length === 0) return null
  return (
    <dl>
      <dt>{title}</dt>
      {measured.slice(0, 3).map(({ name, text, ground, ratio, level }) => (
        <dd key={name}>
          <Sample text={text} ground={ground} /> {name}{' '}
          <span>
            {ratio?.toFixed(2)}{' '}
            <abbr className={level === 'none' ? 'sw-fail' : undefined}>{level && levels[level]}</abbr>
          </span>
        </dd>
      ))}
    </dl>
  )
}

/** The texts that a contrast is enough for. */
const levels = { AAA: 'AAA', AA: 'AA', 'AA large': 'large', none: 'fails' }

/**
 * Colors as bands of an SVG, one below the other, of which the first may be higher. The `fill` attribute accepts any
 * CSS color, and a Content-Security-Policy does not treat the attribute as a style. For a value that the browser does
 * not know, the inherited `fill`, `none`, lets the background show. The stylesheet draws the edge in `color`.
 *
 * @param first Height of the first band in percent. Default: the same for all.
 */
export function Bands({ values, first = 100 / values.length }: { values: readonly string[]; first?: number }) {
  const rest = (100 - first) / (values.length - 1)
  const fills = values.map((value) => svgFill({ name: '', value }))
  return (
    <svg className="sw-paint sw-bands" fill="none" aria-hidden="true">
      {fills.map((fill, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
          key={index}
          y={index > 0 ? `${first + (index - 1) * rest}%` : undefined}
          width="100%"
          height={`${index > 0 ? rest : first}%`}
          color={fill}
          fill={fill}
        />
      ))}
    </svg>
  )
}
