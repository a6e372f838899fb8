import { type Contrast, compositeOver, measureContrast, type Srgb } from '../../../core/styleguide/internal.js'

/** Tells the contrast of every color on a background that the reader chooses, as it is painted right now. */
export function showCustomContrast(): void {
  let chosen: HTMLSelectElement | HTMLInputElement | undefined
  const measure = ({ target }: Event) => {
    const isChoice = target instanceof HTMLSelectElement || target instanceof HTMLInputElement
    if (isChoice && target.closest('.sw-picker')) chosen = target
    // Another color scheme changes what light-dark() and custom properties paint.
    else if (!isChoice || target.name !== 'sw-scheme') return
    if (chosen) measureAll(chosen)
  }
  document.addEventListener('input', measure)
  document.addEventListener('change', measure) // only then does the scheme follow the system again
}

function measureAll(chosen: HTMLSelectElement | HTMLInputElement): void {
  const name = chosen instanceof HTMLSelectElement ? chosen.selectedOptions[0]?.textContent : chosen.value
  const probe = document.querySelector('.sw-picker')?.appendChild(document.createElement('i'))
  if (!probe) return
  const ground = readSrgb(probe, chosen.value)
  // A translucent background lies on the ground of the page.
  const under = readSrgb(probe, 'var(--sw-bg)')
  const background = ground && under && compositeOver(ground, under)
  for (const swatch of document.querySelectorAll('.sw-swatch')) {
    const paint = swatch.querySelector('rect')
    const color = background && paint && readSrgb(probe, getComputedStyle(paint).fill)
    show(swatch, name ?? '', color ? measureContrast(color, background) : undefined)
  }
  probe.remove()
}

/** A CSS color as the browser paints it; `undefined` for what is none. */
function readSrgb(probe: HTMLElement, color: string): Srgb | undefined {
  const computed = compute(probe, color)
  if (computed?.startsWith('rgb')) {
    const { r, g, b, alpha } = parseChannels(computed)
    return { r: r / 255, g: g / 255, b: b / 255, alpha }
  }
  // A mix of a color with itself is the color, in a notation that has the channels of sRGB.
  const mixed = computed && compute(probe, `color-mix(in srgb,${computed},${computed})`)
  return mixed ? parseChannels(mixed) : undefined
}

function compute(probe: HTMLElement, color: string): string | undefined {
  probe.style.color = ''
  probe.style.color = color
  return probe.style.color && getComputedStyle(probe).color
}

/** The numbers of `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `color(srgb 0.1 0.2 none / 0.5)`. */
function parseChannels(color: string): Srgb {
  const [r = 0, g = 0, b = 0, alpha = 1] = color
    .replace(/^.*?\((?:srgb )?|\)$/g, '')
    .split(/[\s,/]+/)
    .map((channel) => Number(channel) || 0)
  return { r, g, b, alpha }
}

function show(swatch: Element, name: string, contrast: Contrast | undefined): void {
  for (const earlier of swatch.querySelectorAll('.sw-custom')) earlier.remove()
  if (!contrast) return
  const { ratio, level } = contrast
  const row = make(
    'div',
    '',
    make('dt', '', make('span', 'sw-hidden', 'Contrast on '), name),
    make('dd', '', `${ratio.toFixed(2)} `, ...(level === 'none' ? [] : [make('abbr', '', level)])),
  )
  // A list of its own, since the others may be those of one color scheme.
  swatch.append(make('dl', 'sw-contrast sw-custom', row))
}

function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}
