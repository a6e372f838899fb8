import { type StyleColor, svgFill } from '../../../core/styleguide/index.js'

interface ColorToolsProps {
  colors: readonly StyleColor[]
  background: string | undefined
}

/** Chooses the background of the contrast. The stylesheet shows it once the script, which does the work, is there. */
export function ContrastPicker({ colors, background }: ColorToolsProps) {
  return (
    <fieldset className="sw-picker" aria-label="Contrast">
      <label>
        Contrast on
        <select className="sw-field" autoComplete="off">
          <option value={background ?? ''}>{background ?? 'white and black'}</option>
          {colors.map(
            (color, index) =>
              svgFill(color) && (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice
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
          aria-label="Contrast on a color of your own"
          autoComplete="off"
        />
      </label>
      <p>A click on a color copies its value, a click with Shift its hex.</p>
    </fieldset>
  )
}
