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
  const computed = compute(probe, color)
  if (computed?.startsWith('rgb')) {
    const { r, g, b, alpha } = parseChannels(computed)
    return { r: r / 255, g: g / 255, b: b / 255, alpha }
  }
  // Mixing a color with itself converts it to sRGB.
  const mixed = computed && compute(probe, `color-mix(in srgb,${computed},${computed})`)
  return mixed ? parseChannels(mixed) : undefined
}

function compute(probe: HTMLElement, color: string): string | undefined {
  probe.style.color = ''
  probe.style.color = color
  return probe.style.color && getComputedStyle(probe).color
}

/** Parses the numbers of `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `color(srgb 0.1 0.2 none / 0.5)`. */
function parseChannels(color: string): Srgb {
  const [r = 0, g = 0, b = 0, alpha = 1] = color
    .replace(/^.*?\((?:srgb )?|\)$/g, '')
    .split(/[\s,/]+/)
    .map((channel) => Number(channel) || 0)
  return { r, g, b, alpha }
}
