import { hexOf, type Srgb } from '../../../core/styleguide/internal.js'

/** Creates an element with a class and children. */
export function node(name: string, className: string, children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...children)
  return element
}

/** A small square of a color. */
export function swatch(color: string | Srgb): HTMLElement {
  const element = node('i', 'sw-dot', [])
  element.style.background = typeof color === 'string' ? color : toCss(color)
  return element
}

function toCss(color: Srgb | undefined): string {
  if (!color) return ''
  const { r, g, b, alpha = 1 } = color
  return hexOf(color) ?? `color(srgb ${r} ${g} ${b} / ${alpha})`
}
