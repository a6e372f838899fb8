import { hexOf, type Srgb } from '../../../core/styleguide/internal.js'

/** Labels the colors that only a browser can resolve, such as `var()`, with their hex in the current color scheme. */
export function labelPaintedColors(): void {
  addEventListener('load', label)
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'sw-scheme') label() // scheme.ts has already applied the choice
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label)
}

function label(): void {
  const labels = document.querySelectorAll('.sw-painted')
  const probe =
    labels.length > 0 ? document.querySelector('.sw-palette')?.appendChild(document.createElement('i')) : null
  if (!probe) return
  for (const element of labels) {
    const paint = element.closest('.sw-tone')?.querySelector('rect')
    const fill = paint ? getComputedStyle(paint).fill : 'none'
    const color = fill === 'none' ? undefined : readSrgb(probe, fill)
    const hasProblem = element.closest('.sw-detail')?.querySelector('.sw-problem')
    element.textContent = color ? (hexOf(color) ?? 'outside sRGB') : hasProblem ? '' : 'not a color on this page'
  }
  probe.remove()
}

/** Returns the channels of a CSS color as the browser paints it; `undefined` for an invalid color. */
export function readSrgb(probe: HTMLElement, color: string): Srgb | undefined {
  probe.style.color = ''
  // Mixing a color with itself converts it to sRGB, such as `color(srgb 0.1 0.2 none / 0.5)`.
  probe.style.color = `color-mix(in srgb,${color},${color})`
  if (!probe.style.color) return undefined
  const channels = getComputedStyle(probe).color.slice('color(srgb '.length, -1)
  const [r = 0, g = 0, b = 0, alpha = 1] = channels.split(/[\s/]+/).map((channel) => Number(channel) || 0)
  return { r, g, b, alpha }
}
