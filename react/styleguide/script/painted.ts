import { hexOf } from '../../../core/styleguide/internal.js'
import { createProbe, readSrgb } from './computed-color.js'

/** Labels the colors that only a browser can resolve, such as `var()`, with what it paints in the current color scheme. */
export function labelPaintedColors(): void {
  addEventListener('load', label)
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'sw-scheme') label() // the scheme script has applied it
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label)
}

function label(): void {
  const labels = document.querySelectorAll('.sw-painted')
  const probe = labels.length > 0 ? createProbe() : undefined
  if (!probe) return
  for (const element of labels) {
    const paint = element.parentElement?.querySelector('rect')
    const fill = paint ? getComputedStyle(paint).fill : 'none'
    const color = fill === 'none' ? undefined : readSrgb(probe, fill)
    const isTold = element.parentElement?.querySelector('.sw-problem')
    element.textContent = color ? (hexOf(color) ?? 'outside sRGB') : isTold ? '' : 'not a color on this page'
  }
  probe.remove()
}
