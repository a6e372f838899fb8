import { type Contrast, compositeOver, measureContrast } from '../../../core/styleguide/internal.js'
import { createProbe, readSrgb } from './computed-color.js'

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
  // A translucent background is composited over the page's own.
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
  // In a separate list, since the others may belong to one color scheme.
  swatch.append(createElement('dl', 'sw-contrast sw-custom', row))
}

function createElement(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}
