import { type StyleColor, svgFill } from '../../../core/styleguide/index.js'

interface ContrastPickerProps {
  colors: readonly StyleColor[]
  background: string | undefined
}

/** Chooses the background to measure contrast on. The stylesheet shows it once the script is loaded, which does the work. */
export function ContrastPicker({ colors, background }: ContrastPickerProps) {
  return (
    <fieldset className="sw-picker" aria-label="Contrast">
      <label>
        Contrast on
        <select className="sw-field" autoComplete="off">
          <option value={background ?? ''}>{background ?? 'white and black'}</option>
          {colors.map(
            (color, index) =>
              svgFill(color) && (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                <option key={index} value={color.value}>
                  {color.name}
                </option>
              ),
          )}
        </select>
      </label>
      <label>
        or
        <input
          className="sw-field"
          type="color"
          defaultValue="#808080"
          aria-label="Contrast on a custom color"
          autoComplete="off"
        />
      </label>
      <p>Click a color to copy its value, Shift-click to copy its hex.</p>
    </fieldset>
  )
}
