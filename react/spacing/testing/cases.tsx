import { renderToStaticMarkup } from 'react-dom/server'
import type { SpacingProps, SpacingSize } from '../../../core/spacing/index.js'
import { Spacing } from '../index.js'

// The specification, repeated here: minimum width of each breakpoint and length of each size, in CSS pixels.
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
/** Elements with several props each, so many that every pair of props occurs; the same ones in every run. */
const mixed = Array.from({ length: 300 }, (_, row): SpacingProps => {
  const some = props.filter((_, column) => (row * 7 + column * 5 + ((row * column) % 3)) % 3 === 0)
  return Object.fromEntries(some.map((prop, index) => [prop, sizes[(row * 11 + index * 4) % sizes.length]]))
})
export const cases = [...single, ...mixed]
// Elements to which the browser's own stylesheet gives margins or paddings, and some to which it does not.
const tags = ['div', 'p', 'h2', 'ul', 'blockquote', 'section', 'figure', 'dd', 'fieldset', 'button'] as const
export const tagOf = (index: number) => tags[index % tags.length] as (typeof tags)[number]

/** Returns the specified margin and padding at the start and end of the block axis, at a viewport width. */
function expected(given: SpacingProps, viewport: number): number[] {
  return kinds.flatMap((kind) =>
    ['top', 'bottom'].map((side) => {
      let length = 0
      for (const [name, minWidth] of Object.entries(breakpoints)) {
        const size = given[(kind + name) as keyof SpacingProps]
        if (!size || viewport < minWidth) continue
        const [, onlySide, word] = /^(top|bottom)?(.+)$/.exec(size) as unknown as [string, string | undefined, string]
        const key = (word.charAt(0).toUpperCase() + word.slice(1)) as keyof typeof lengths
        if (!onlySide || onlySide === side) length = lengths[key]
      }
      return length
    }),
  )
}

/** Renders a page with stylesheets in the given order. */
export function pageWith(links: string[], body: React.ReactNode): string {
  const head = links.map((href) => `<link rel="stylesheet" href="${href}">`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<body>${renderToStaticMarkup(body)}`
}

/** In the page: margin and padding at the start and end of the block axis of the elements of a selector. */
export function measureSpacing(selector: string): number[][] {
  return [...document.querySelectorAll(selector)].map((element) => {
    const { marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd } = getComputedStyle(element)
    return [marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd].map(Number.parseFloat)
  })
}

/** The elements whose measures at a viewport width are not those of the specification. */
export function findWrong(measured: number[][], viewport: number) {
  return cases
    .map((given, index) => ({ given, tag: tagOf(index), is: measured[index], should: expected(given, viewport) }))
    .filter(({ is, should }) => String(is) !== String(should))
}

/** All cases as elements, in the order of {@link cases}. */
export function allCases(): React.ReactElement[] {
  return cases.map((given, index) => <Spacing key={JSON.stringify(given)} as={tagOf(index)} {...given} />)
}
