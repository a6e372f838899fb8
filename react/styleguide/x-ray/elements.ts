/** Returns a short selector of an element: `p.date`. */
export function describeElement(element: Element): string {
  return [element.localName, ...element.classList].slice(0, 2).join('.')
}

/** Whether a visitor can see an element, after scrolling. Links that show on focus are clipped or outside of the page. */
export function isShown(element: Element): boolean {
  const { right, bottom, width, height } = element.getBoundingClientRect()
  const { clipPath, clip } = getComputedStyle(element)
  const isClipped = /inset\((?:50|100)%/.test(clipPath) || clip.startsWith('rect(') || (width <= 1 && height <= 1)
  const isOutside = right <= 0 || bottom + (element.ownerDocument.defaultView?.scrollY ?? 0) <= 0
  return element.checkVisibility({ visibilityProperty: true }) && !isClipped && !isOutside
}

/**
 * Returns the topmost element with a box at a point of the window. The browser's own answer can be a link that is
 * stretched over its card by a pseudo-element.
 */
export function elementAt(page: Document, x: number, y: number): Element {
  const isWithin = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom
  const found = page.elementsFromPoint(x, y).find((element) => [...element.getClientRects()].some(isWithin))
  return found ?? page.documentElement
}

/** Whether an element has text of its own, or is a picture or a control, which have no child. */
export function isFilled({ childNodes: [...nodes] }: Element): boolean {
  return nodes.length === 0 || nodes.some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
}

const steps: Readonly<Record<string, (element: Element) => Element | null>> = {
  ArrowUp: (element) => element.parentElement,
  ArrowDown: (element) => element.firstElementChild,
  ArrowLeft: (element) => element.previousElementSibling,
  ArrowRight: (element) => element.nextElementSibling,
}

/** Returns the element around or within another, or beside it. Elements that a visitor cannot see are passed over. */
export function neighborOf(element: Element, key: string): Element | undefined {
  let found = steps[key]?.(element)
  while (found && !isShown(found)) found = steps[key === 'ArrowLeft' ? key : 'ArrowRight']?.(found)
  return found ?? undefined
}
