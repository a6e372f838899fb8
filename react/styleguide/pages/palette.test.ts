import { expect, it } from 'vitest'
import { fromCssVariables } from '../../../core/styleguide/index.js'
import { arrangePalette, presentText } from './palette.js'

const { colors } = fromCssVariables(`:root {
  --color-surface: light-dark(#f5fafb, #0e1415); --color-on-surface: light-dark(#171d1e, #dee3e5);
  --color-surface-high: light-dark(#e3e9ea, #252b2c);
  --color-primary: light-dark(#006874, #4fd8eb); --color-on-primary: light-dark(#fff, #00363d);
  --color-tertiary: light-dark(#301400, #ffdcc5); --color-tomato: #f2513b;
}`)
const palette = arrangePalette({ colors })

it.each([
  ['primary', 4.5, 'light-dark(#fff, #00363d)', 'its own text'],
  ['surface-high', 4.5, 'light-dark(#171d1e, #dee3e5)', 'the text of the pages, not the color with the most contrast'],
  ['tomato', 4.5, 'light-dark(#171d1e, #0e1415)', 'the ground of the pages, where their text is too weak'],
])('the text on %s with a contrast of %d is %s: %s', (name, least, text) => {
  const color = palette.colors.find((color) => color.name === name)
  expect(color && presentText(color, palette, least)).toBe(text)
})
