import {
  describeColor,
  measureOn,
  type PaletteColor,
  type Swatch,
  svgFill,
  type Tone,
} from '../../../core/styleguide/internal.js'

/** A background of the site's pages. */
export interface Ground {
  name: string
  tones: readonly Tone[]
}

/** How a page shows its palette. */
export interface PaletteView {
  modes: readonly string[]
  grounds: readonly Ground[]
  /** Whether the palette is large and therefore shown densely. */
  isDense: boolean
}

interface ColorDetailProps {
  swatch: Swatch
  /** The id of the strip's heading, the target of the link `Close`. */
  stripId: string
  view: PaletteView
}

/** A color's values in every notation, each with a copy button, and its contrast. Hidden until its swatch is chosen. */
export function ColorDetail({ swatch: { color, alsoNamed }, stripId, view }: ColorDetailProps) {
  const { name, declared, tones } = color
  const { property, className, token } = declared.source ?? {}
  const code = [property && `var(${property})`, className, token].filter((text) => text !== undefined)
  return (
    <div className="sw-detail">
      <p>
        <strong>{name}</strong>
        {declared.alias && <span>alias of {declared.alias}</span>}
        {alsoNamed.length > 0 && <span>also {alsoNamed.join(', ')}</span>}
        {declared.problem && <span className="sw-problem">{declared.problem}</span>}
        <a className="sw-close" href={`#${encodeURIComponent(stripId)}`}>
          Close
        </a>
      </p>
      {tones.map((tone) => tone.value && <ToneDetail key={tone.mode ?? ''} tone={tone} color={color} view={view} />)}
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
  const contrasts = view.grounds.flatMap((ground) => {
    const under = ground.tones.find((tone) => tone.mode === mode) ?? ground.tones[0]
    const contrast = under && measureOn(value, under.value)
    return contrast && under.value !== value ? [{ name: ground.name, ...contrast }] : []
  })
  return (
    <div className="sw-tone">
      <Bands values={wide === undefined ? [value] : [value, wide]} />
      <div>
        {mode && <em>{mode}</em>}
        <Copy text={value} />
        {info && !value.startsWith('#') && <Copy text={info.hex} note={info.isInSrgb ? undefined : '≈'} />}
        {info && !value.startsWith('oklch(') && <Copy text={info.oklch} />}
        {wide && <Copy text={wide} note="P3" />}
        {!info && svgFill({ ...color.declared, value }) && <PaintedLabel />}
      </div>
      {contrasts.length > 0 && (
        <dl>
          {contrasts.map(({ name, ratio, level }) => (
            <div key={name}>
              <dt>on {name}</dt>
              <dd>
                {ratio.toFixed(2)} <Level level={level} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** A contrast level, or `fails` if the contrast is too low for any text. */
export function Level({ level }: { level: string }) {
  return (
    <abbr className={level.startsWith('AA') && level !== 'AA large' ? undefined : 'sw-fail'}>
      {level === 'none' ? 'fails' : level}
    </abbr>
  )
}

/** A text that the script copies. The note before the text is not copied. */
function Copy({ text, note }: { text: string; note?: string | undefined }) {
  return (
    <button className="sw-copy" type="button">
      {note}
      <code>{text}</code>
    </button>
  )
}

// This is a constant, because React compares it by identity.
const empty = { __html: '' }

/**
 * An empty label for a color that only a browser can resolve. The script writes the painted color here, and React does
 * not change it.
 */
function PaintedLabel() {
  return (
    <button className="sw-copy" type="button">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; keeps React from comparing the script's text */}
      <code className="sw-painted" suppressHydrationWarning dangerouslySetInnerHTML={empty} />
    </button>
  )
}

const full = { width: '110%', height: '110%' }

/**
 * Colors as bands of an SVG, one below the other. The `fill` attribute accepts any CSS color, and a
 * Content-Security-Policy does not treat the attribute as a style. For a value that the browser does not know, the
 * inherited `fill`, `none`, lets the background show.
 */
export function Bands({ values }: { values: readonly string[] }) {
  const height = 100 / values.length
  return (
    <svg className="sw-paint sw-bands" fill="none" aria-hidden="true">
      {values.map((value, index) => {
        const fill = svgFill({ name: '', value })
        // The bands are larger than the SVG, because a rectangle that ends within a pixel has a translucent edge.
        const size = { x: '-5%', y: `${index * height}%`, width: '120%', height: `${height + 10}%` }
        // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
        return fill && <rect key={index} {...(values.length > 1 ? size : full)} fill={fill} />
      })}
    </svg>
  )
}
