import { type Contrast, compositeOver, hexOf, measureContrast, type Srgb } from '../../../core/styleguide/internal.js'

/** Shows the contrast of every color, as currently painted, on the background that the user chooses. */
export function showCustomContrast(): void {
  let picker: HTMLSelectElement | HTMLInputElement | undefined
  const measure = ({ target }: Event) => {
    const isChoice = target instanceof HTMLSelectElement || target instanceof HTMLInputElement
    if (isChoice && target.closest('.sw-picker')) picker = target
    // Another color scheme changes the colors of light-dark() and custom properties.
    else if (!isChoice || target.name !== 'sw-scheme') return
    if (picker) measureAll(picker)
  }
  document.addEventListener('input', measure)
  document.addEventListener('change', measure) // by then, the scheme script has applied the change
}

function measureAll(picker: HTMLSelectElement | HTMLInputElement): void {
  const name = picker instanceof HTMLSelectElement ? picker.selectedOptions[0]?.textContent : picker.value
  const probe = createProbe()
  if (!probe) return
  const chosen = readSrgb(probe, picker.value)
  // A translucent background is composited over the page's background.
  const pageBackground = readSrgb(probe, 'var(--sw-bg)')
  const background = chosen && pageBackground && compositeOver(chosen, pageBackground)
  for (const swatch of document.querySelectorAll('.sw-swatch')) {
    const paint = swatch.querySelector('rect')
    const color = background && paint && readSrgb(probe, getComputedStyle(paint).fill)
    show(swatch, name ?? '', color ? measureContrast(color, background) : undefined)
  }
  probe.remove()
}

function show(swatch: Element, name: string, contrast: Contrast | undefined): void {
  for (const previous of swatch.querySelectorAll('.sw-custom')) previous.remove()
  if (!contrast) return
  const { ratio, level } = contrast
  const row = createElement(
    'div',
    '',
    createElement('dt', '', createElement('span', 'sw-hidden', 'Contrast on '), name),
    createElement('dd', '', `${ratio.toFixed(2)} `, ...(level === 'none' ? [] : [createElement('abbr', '', level)])),
  )
  // In a separate list, because each of the other lists may belong to one color scheme.
  swatch.append(createElement('dl', 'sw-contrast sw-custom', row))
}

function createElement(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

/** Labels the colors that only a browser can resolve, such as `var()`, with their hex in the current color scheme. */
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

/** Adds an element to the color page for {@link readSrgb} to compute with. The caller must remove it. */
function createProbe(): HTMLElement | undefined {
  return document.querySelector('.sw-picker')?.appendChild(document.createElement('i'))
}

/** Returns a CSS color as the browser paints it; `undefined` for an invalid one. */
function readSrgb(probe: HTMLElement, color: string): Srgb | undefined {
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
