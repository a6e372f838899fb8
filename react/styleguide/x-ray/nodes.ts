import { hexOf, type Srgb } from '../../../core/styleguide/internal.js'

/** Creates an element with a class and children. */
export function node(name: string, className: string, children: readonly (Node | string)[] = []): HTMLElement {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...children)
  return element
}

/** A small square of a color. */
export function swatch(color: string | Srgb): HTMLElement {
  const element = node('i', 'sw-dot')
  element.style.background = typeof color === 'string' ? color : toCss(color)
  return element
}

function toCss({ r, g, b, alpha = 1 }: Srgb): string {
  return hexOf({ r, g, b, alpha }) ?? `color(srgb ${r} ${g} ${b} / ${alpha})`
}

/** Creates a mark over an element of the page in a frame. */
export function markOver(frame: HTMLElement, element: Element, className: string, children: Node[]): HTMLElement {
  const { left, top, width, height } = element.getBoundingClientRect()
  const mark = node('div', className, children)
  for (const [property, pixels] of Object.entries({ left: frame.offsetLeft + left, top, width, height }))
    mark.style.setProperty(property, `${pixels}px`)
  return mark
}
