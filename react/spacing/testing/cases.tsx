import { renderToStaticMarkup } from 'react-dom/server'
import type { SpacingProps, SpacingSize } from '../../../core/spacing/index.js'
import { Spacing } from '../index.js'

// The specification, repeated for the tests: minimum width of each breakpoint and length of each size, in CSS pixels.
const breakpoints = { Xs: 0, Sm: 640, Md: 768, Lg: 1024, Xl: 1280, Xxl: 1536 }
const lengths = { ExtraSmall: 8, Small: 16, Base: 32, Large: 64, ExtraLarge: 96 }
/** Viewport widths in CSS pixels, one for each breakpoint. */
export const viewports = [360, 640, 768, 1024, 1280, 1536]

const kinds = ['margin', 'padding'] as const
export const props = kinds.flatMap((kind) =>
  Object.keys(breakpoints).map((name) => kind + name),
) as (keyof SpacingProps)[]
export const sizes = Object.keys(lengths).flatMap((name) => [
  name.charAt(0).toLowerCase() + name.slice(1),
  `top${name}`,
  `bottom${name}`,
]) as SpacingSize[]

export const single = props.flatMap((prop) => sizes.map((size): SpacingProps => ({ [prop]: size })))
/** The props of elements with several props. Every pair of props occurs. Each run has the same elements. */
const mixed = Array.from({ length: 300 }, (_, row): SpacingProps => {
  const rowProps = props.filter((_, column) => (row * 7 + column * 5 + ((row * column) % 3)) % 3 === 0)
  return Object.fromEntries(rowProps.map((prop, index) => [prop, sizes[(row * 11 + index * 4) % sizes.length]]))
})
export const cases = [...single, ...mixed]
// Elements with and without margins or paddings in the stylesheet of the browser.
const tags = ['div', 'p', 'h2', 'ul', 'blockquote', 'section', 'figure', 'dd', 'fieldset', 'button'] as const
export const tagOf = (index: number) => tags[index % tags.length] as (typeof tags)[number]

/** Returns the specified margin and padding at the start and end of the block axis, at a viewport width. */
function expectedSpaces(spacing: SpacingProps, viewport: number): number[] {
  return kinds.flatMap((kind) =>
    ['top', 'bottom'].map((side) => {
      let length = 0
      for (const [name, minWidth] of Object.entries(breakpoints)) {
        const size = spacing[(kind + name) as keyof SpacingProps]
        if (!size || viewport < minWidth) continue
        const [, onlySide, word] = /^(top|bottom)?(.+)$/.exec(size) as unknown as [string, string | undefined, string]
        const key = (word.charAt(0).toUpperCase() + word.slice(1)) as keyof typeof lengths
        if (!onlySide || onlySide === side) length = lengths[key]
      }
      return length
    }),
  )
}

/** Renders a page with stylesheets in the order of `links`. */
export function pageWith(links: string[], body: React.ReactNode): string {
  const head = links.map((href) => `<link rel="stylesheet" href="${href}">`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<body>${renderToStaticMarkup(body)}`
}

/** Runs in the page. Returns margin and padding at the start and end of the block axis of the selector's elements. */
export function measureSpacing(selector: string): number[][] {
  return [...document.querySelectorAll(selector)].map((element) => {
    const { marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd } = getComputedStyle(element)
    return [marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd].map(Number.parseFloat)
  })
}

/** Returns the elements whose measures at a viewport width differ from the specification. */
export function findDeviations(measured: number[][], viewport: number) {
  return cases
    .map((spacing, index) => ({
      spacing,
      tag: tagOf(index),
      actual: measured[index],
      expected: expectedSpaces(spacing, viewport),
    }))
    .filter(({ actual, expected }) => String(actual) !== String(expected))
}

/** Returns all cases as elements, in the order of {@link cases}. */
export function allCases(): React.ReactElement[] {
  return cases.map((spacing, index) => <Spacing key={JSON.stringify(spacing)} as={tagOf(index)} {...spacing} />)
}
