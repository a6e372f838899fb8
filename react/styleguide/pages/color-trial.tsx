import { describeColor, type PaletteColor, type TextMatrix, valueIn } from '../../../core/styleguide/internal.js'
import { ModeName, roomOf } from './mode-name.js'
import type { ArrangedPalette } from './palette.js'

interface ColorTrialProps {
  palette: ArrangedPalette
  matrix: TextMatrix
}

/**
 * A form that shows one color as text on another, in each mode. The script fills it in, also when a swatch is dropped
 * on another, so the stylesheet hides it until the script is loaded.
 */
export function ColorTrial({ palette, matrix: { texts, grounds, measure } }: ColorTrialProps) {
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const swatches = palette.strips.flatMap((strip) => strip.swatches)
  const options = swatches.flatMap(({ id, color }) => {
    const hexes = modes.map((mode) => describeColor(valueIn(color, palette.modes, mode) ?? '')?.hex ?? '')
    // A translucent color has no contrast of its own.
    return hexes.every(({ length }) => length === 7) ? [{ id, color, hexes }] : []
  })
  const ratioOf = (pair: readonly PaletteColor[]) =>
    Math.min(
      ...modes.map((mode) => measure(pair[0] as PaletteColor, pair[1] as PaletteColor, mode)?.contrast?.ratio ?? 0),
    )
  const known = ({ name }: PaletteColor) => options.some(({ color }) => color.name === name)
  const pairs = texts.filter(known).flatMap((text) => grounds.filter(known).map((ground) => [text, ground]))
  const [text, ground] = pairs.sort((a, b) => ratioOf(b) - ratioOf(a))[0] ?? []
  const select = (name: string, label: string, initial: unknown) => (
    <label>
      {label}{' '}
      <select className="sw-field" name={name} defaultValue={options.find(({ color }) => color === initial)?.id}>
        {options.map(({ id, color, hexes }) => (
          <option key={id} value={id} data-hex={hexes.join(' ')} data-text={texts.includes(color) ? '' : undefined}>
            {color.name}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <form className="sw-trial">
      <h3>Try one on another</h3>
      <p className="sw-small">Drop a swatch on another, or choose both.</p>
      {select('text', 'Text', text)} {select('ground', 'on', ground)}{' '}
      <button className="sw-field" type="button">
        Swap
      </button>
      <div className="sw-rooms">
        {modes.map((mode) => (
          <section key={mode ?? ''} className={roomOf(mode)}>
            {mode && <ModeName mode={mode} />}
            <div aria-hidden="true" suppressHydrationWarning>
              <h4>Pears keep best unripe</h4>
              <p>Pick them firm, and let the kitchen finish the work that the tree began in April.</p>
              <small>Conference pears, third week of September</small>
            </div>
            {/* The script fills this in, which may be before React hydrates the page. */}
            <output suppressHydrationWarning> </output>
          </section>
        ))}
      </div>
    </form>
  )
}
