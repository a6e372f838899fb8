import { describeColor, type PaletteColor, type TextMatrix, valueIn } from '../../../core/styleguide/internal.js'
import { ModeName, roomOf } from './mode-name.js'
import type { ArrangedPalette } from './palette.js'

/** The words and fonts of the site, in which a color is shown on another. */
export interface Specimen {
  title: string
  text?: string | undefined
  /** Values of the property `font` for a heading, a text and a caption. */
  fonts?: readonly string[] | undefined
}

export interface ColorTrialProps {
  palette: ArrangedPalette
  matrix: TextMatrix
  specimen?: Specimen | undefined
}

/** The parts of the verdict, which the script fills in: the ratio, the texts that may have it, and the nearest that passes. */
const verdict = { __html: '<strong></strong> <span></span> <a></a>' }

/**
 * A form that shows one color as text on another, in each mode. The script fills it in, also when a swatch is dropped
 * on another, so the stylesheet hides it until the script is loaded.
 */
export function ColorTrial({ palette, matrix, specimen }: ColorTrialProps) {
  const { texts, grounds, own, measure } = matrix
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const options = palette.strips.flatMap(({ swatches }) =>
    swatches.flatMap(({ id, color }) => {
      const hexes = modes.map((mode) => describeColor(valueIn(color, palette.modes, mode) ?? '')?.hex ?? '')
      // A translucent color has no contrast of its own.
      return hexes.every(({ length }) => length === 7) ? [{ id, color, hexes }] : []
    }),
  )
  const pairs = own.length > 0 ? own : texts.flatMap((text) => grounds.map((ground) => ({ text, ground })))
  const ratioOf = ({ text, ground }: { text: PaletteColor; ground: PaletteColor }) =>
    measure(text, ground, modes[0])?.contrast?.ratio ?? 0
  const [first] = [...pairs].sort((a, b) => ratioOf(b) - ratioOf(a))
  const select = (name: 'text' | 'ground', label: string) => (
    <label>
      {label}{' '}
      <select className="sw-field" name={name} defaultValue={options.find(({ color }) => color === first?.[name])?.id}>
        {options.map(({ id, color, hexes }) => (
          <option key={id} value={id} data-hex={hexes.join(' ')} data-text={texts.includes(color) ? '' : undefined}>
            {color.name}
          </option>
        ))}
      </select>
    </label>
  )
  const lines = [
    specimen?.title ?? 'Heading',
    specimen?.text ?? 'A line of text, as long as those that people read on this site.',
    ' ',
  ]
  return (
    <form className="sw-trial">
      <h3>Try one on another</h3>
      <p className="sw-small">Drop a swatch on another, or choose both.</p>
      {select('text', 'Text')} {select('ground', 'on')}{' '}
      <button className="sw-field" type="button">
        Swap
      </button>
      <div className="sw-rooms">
        {modes.map((mode) => (
          <section key={mode ?? ''} className={roomOf(mode)}>
            {mode && <ModeName mode={mode} />}
            {/* The script fills this in, which may be before React hydrates the page. */}
            <div aria-hidden="true" suppressHydrationWarning>
              {lines.map((words, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move
                <p key={line} data-sw-font={specimen?.fonts?.[line]} suppressHydrationWarning>
                  {words}
                </p>
              ))}
            </div>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; the script fills it in */}
            <output suppressHydrationWarning dangerouslySetInnerHTML={verdict} />
          </section>
        ))}
      </div>
    </form>
  )
}
