import type { Srgb } from '../../../core/styleguide/internal.js'

/** Adds an element to the page of colors that {@link readSrgb} computes with; to be removed again. */
export function createProbe(): HTMLElement | undefined {
  return document.querySelector('.sw-picker')?.appendChild(document.createElement('i'))
}

/** Returns a CSS color as the browser paints it; `undefined` for an invalid one. */
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
