import { hexOf, type Measured } from '../../../core/styleguide/internal.js'
import { elementAt, isFilled } from './elements.js'
import type { Near } from './measure.js'

/** Creates an element with a class and children. */
export function node(name: string, className: string, children: readonly (Node | string)[] = []): HTMLElement {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...children)
  return element
}

/** Creates a link to a page of the styleguide. */
export function link(href: string, children: readonly (Node | string)[]): HTMLElement {
  const element = node('a', '', children)
  element.setAttribute('href', href)
  return element
}

/** A small square of a color; nothing for a length. */
export function swatch(color: Measured | undefined): Node | string {
  if (typeof color !== 'object') return ''
  const element = node('i', 'sw-dot')
  element.style.background = textOf(color)
  return element
}

/** Returns a color as hex, or a length as `12.5 px`. */
export function textOf(value: Measured): string {
  if (typeof value === 'number') return `${Math.round(value * 10) / 10} px`
  return hexOf(value) ?? `color(srgb ${value.r} ${value.g} ${value.b} / ${value.alpha})`
}

/** Returns a stray's value and the token that it is near: `18.5 px → lead 18 px`. */
export function nearest({ measured, token, difference }: Near): (Node | string)[] {
  const rest = typeof token.measured === 'number' ? textOf(token.measured) : `ΔE ${difference}`
  const name = node('em', '', [token.name])
  return [swatch(measured), node('s', '', [textOf(measured)]), ' → ', swatch(token.measured), name, ` ${rest}`]
}

/** Places a mark over an element of the page in a frame. */
export function placeOver(mark: HTMLElement, frame: HTMLElement, element: Element): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  for (const [property, pixels] of Object.entries({ left: frame.offsetLeft + left, top, width, height }))
    mark.style.setProperty(property, `${pixels}px`)
}

/**
 * Places the labels of marks to the right of their elements and of the text after them, each below the labels that are
 * there already. A label has its number alone where its other words would cover something.
 */
export function placeLabels(page: Document, frame: HTMLElement, labels: Iterable<HTMLElement>): void {
  const placed: DOMRect[] = []
  const origin = frame.getBoundingClientRect()
  const isText = (x: number, y: number) => isFilled(elementAt(page, x - origin.left, y - origin.top))
  for (const label of labels) {
    const box = () => label.getBoundingClientRect()
    const meetsLabel = ({ left, right, top, bottom } = box()) =>
      placed.some((at) => at.left < right && left < at.right && at.top < bottom && top < at.bottom)
    const meetsText = ({ left, right, top, bottom } = box()) =>
      [left, (left + right) / 2, right].some((x) => isText(x, top) || isText(x, bottom))
    for (let x = 1; meetsText() && box().right < origin.right; x += 20) label.style.marginInlineStart = `${x}px`
    label.style.translate = `${Math.min(0, origin.right - box().right)}px`
    for (let row = 1; meetsLabel(); row++) label.style.top = `${row * 22}px`
    label.className = 'sw-full'
    if (box().right > origin.right || meetsLabel() || meetsText()) label.className = ''
    placed.push(box())
  }
}
