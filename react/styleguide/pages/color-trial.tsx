import {
  contrastRatio,
  describeColor,
  luminance,
  type TextMatrix,
  toSrgb,
  valueIn,
} from '../../../core/styleguide/internal.js'
import { escapeXml } from '../../../core/xml.js'
import { ModeName, roomOf } from './mode-name.js'
import { type ArrangedPalette, textIn } from './palette.js'
import { answerTrial, swatch, type Trial, type TrialColor, trialHref } from './trial-answer.js'

/** The words and fonts of the site, in which a color is shown on another. */
export interface Specimen {
  title: string
  text?: string | undefined
  /** Values of the property `font` for a heading, a text and a caption. */
  fonts?: readonly string[] | undefined
  /** The names of the text and the ground to show: those of the URL. Default: a text of the page on its ground. */
  pair?: { text?: string | undefined; ground?: string | undefined } | undefined
}

export interface ColorTrialProps {
  palette: ArrangedPalette
  matrix: TextMatrix
  specimen?: Specimen | undefined
}

/**
 * A form that shows one color as text on another, in each mode. The server answers it; the script answers it without a
 * new page, also when a swatch is dropped on another.
 */
export function ColorTrial({ palette, matrix, specimen }: ColorTrialProps) {
  const { texts, grounds, own } = matrix
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const colors = palette.strips.flatMap(({ swatches }) =>
    swatches.flatMap(({ id, color }) => {
      const tones = modes.flatMap((mode) => {
        const value = valueIn(color, palette.modes, mode) ?? ''
        const [srgb, info] = [toSrgb(value), describeColor(value)]
        // A translucent color has no contrast of its own.
        return srgb && info?.hex.length === 7
          ? [{ hex: info.hex, luminance: luminance(srgb), label: escapeXml(textIn(palette, color, mode, 4.5)) }]
          : []
      })
      return tones.length < modes.length ? [] : [{ id, name: color.name, tones, isText: texts.includes(color) }]
    }),
  )
  const colorNamed = (wanted: string | undefined) => colors.find(({ name }) => name === wanted)
  const page = colorNamed(grounds[0]?.name) ?? colors[0]
  const ratioOf = ({ tones }: TrialColor) => contrastRatio(tones[0]?.luminance ?? 0, page?.tones[0]?.luminance ?? 0)
  const [best] = colors.filter(({ isText }) => isText).sort((a, b) => ratioOf(b) - ratioOf(a))
  const usual = colorNamed(own.find(({ ground }) => ground === grounds[0])?.text.name) ?? best
  const wanted = specimen?.pair ?? {}
  const [text, ground] = [colorNamed(wanted.text) ?? usual, colorNamed(wanted.ground) ?? page]
  if (!text || !ground) return null
  const unknown = [wanted.text, wanted.ground].find((name) => name && !colorNamed(name))
  const words = [
    specimen?.title ?? 'Heading',
    specimen?.text ?? 'A line of text, as long as those that people read on this site.',
    'A caption, in small letters',
  ]
  const lines = words.map(
    (words, line) => `<span data-sw-font="${escapeXml(specimen?.fonts?.[line] ?? '')}">${escapeXml(words)}</span>`,
  )
  const trial: Trial = { colors, lines }
  const select = (label: string, name: string, chosen: TrialColor) => (
    <label>
      {label}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it contains hexes only */}
      <span suppressHydrationWarning dangerouslySetInnerHTML={{ __html: swatch(chosen) }} />
      <select className="sw-field" name={name} defaultValue={chosen.name}>
        {colors.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
  return (
    <form className="sw-trial sw-section" id="try" action="#try" data-sw-trial={JSON.stringify(trial)}>
      <h3>Try one on another</h3>
      {unknown && <p>No color here is called “{unknown}”.</p>}
      <p className="sw-small">Drop one swatch on another, or choose both.</p>
      {select('Text', 'text', text)}
      {select('on', 'ground', ground)}
      <button className="sw-field" type="submit">
        Show
      </button>
      <a className="sw-field" href={trialHref(ground, text)} suppressHydrationWarning>
        Swap
      </a>
      <div className="sw-rooms">
        {modes.map((mode, index) => (
          <section key={mode ?? ''} className={roomOf(mode)}>
            {mode && <ModeName mode={mode} />}
            <output
              suppressHydrationWarning
              // biome-ignore lint/security/noDangerouslySetInnerHtml: it escapes the names of colors and the site's words
              dangerouslySetInnerHTML={{ __html: answerTrial(trial, text, ground, index) }}
            />
          </section>
        ))}
      </div>
    </form>
  )
}
