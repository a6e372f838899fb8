import type { Page } from 'playwright-core'

export interface OutlinedElement {
  /** Name, attributes, own text, font and colors. */
  what: string
  /** Left, top, width and height, in CSS pixels. */
  box: number[]
}

/**
 * Lists the elements of a page and of its frames as a reader meets them. Pages with the same outline look the same and
 * mean the same.
 */
export function outlineOf(page: Page): Promise<OutlinedElement[]> {
  return page.evaluate(() => {
    const frames = [...document.querySelectorAll('iframe')].flatMap(({ contentDocument }) => contentDocument ?? [])
    // Elements that a framework adds for its own scripts are not visible.
    const unseen = 'script, style, link, template, next-route-announcer, [hidden]:empty'
    return [document, ...frames].flatMap((root) =>
      [...root.body.querySelectorAll('*')].filter((element) => !element.matches(unseen)).map(describeElement),
    )

    function describeElement(element: Element) {
      const { x, y, width, height } = element.getBoundingClientRect()
      const { color, backgroundColor, fontFamily, fontSize, fontWeight } = getComputedStyle(element)
      const isImage = element.localName === 'img'
      // next/image and our <Image> offer other candidates of one image, and next/image hides its alternative text.
      const differingOfImage = ['src', 'srcset', 'sizes', 'data-nimg', 'style']
      // The script rounds the height of a frame to whole pixels; its box is compared.
      const differing = isImage ? differingOfImage : element.localName === 'iframe' ? ['height'] : []
      const attributes = [...element.attributes]
        .filter(({ name, value }) => !differing.includes(name) && !(name === 'style' && value === '')) // left by a screenshot
        .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
        .sort()
      const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      // A picture that was requested twice is encoded again, smaller.
      const text = texts.map(({ textContent }) => textContent?.replace(/[\d.]+ k?B|(?<=takes )\d+ %/, '…')).join('')
      const style = [isImage ? '' : color, backgroundColor, fontFamily, fontSize, fontWeight].join(' ')
      return {
        what: `<${[element.localName, ...attributes].join(' ')}> ${JSON.stringify(text)} in ${style}`,
        box: [x, y + scrollY, width, height],
      }
    }
  })
}

/** Differences between two outlines, as readable lines; boxes may differ by what browsers round. */
export function compareOutlines(actual: OutlinedElement[], expected: OutlinedElement[]): string[] {
  const length = Math.max(actual.length, expected.length)
  return Array.from({ length }, (_, index) => {
    const [is, should] = [actual[index], expected[index]]
    if (is?.what !== should?.what) return [`${is?.what} in place of ${should?.what}`]
    const isMoved = is?.box.some((pixels, side) => Math.abs(pixels - (should?.box[side] ?? 0)) > 1.5)
    return isMoved ? [`${is?.what} is at ${is?.box} and not at ${should?.box}`] : []
  }).flat()
}
