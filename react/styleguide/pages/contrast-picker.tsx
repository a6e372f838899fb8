import { type StyleColor, svgFill } from '../../../core/styleguide/index.js'

interface ContrastPickerProps {
  colors: readonly StyleColor[]
  background: string | undefined
}

/** Chooses the background to measure contrast on. The stylesheet shows it only if the script, which measures, is loaded. */
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
                  {color.mode === undefined ? color.name : `${color.name} (${color.mode})`}
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
