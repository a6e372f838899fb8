import { describe, expect, it } from 'vitest'
import { splitSpacing } from './index.js'
import { describeSpacing } from './internal.js'

describe('describeSpacing', () => {
  it('describeSpacing lists 15 sizes for each of 6 breakpoints, with the classes that the props return', () => {
    const { sizes, breakpoints } = describeSpacing()
    expect(sizes.map(({ name }) => name)).toEqual(['base', 'large', 'extraLarge', 'small', 'extraSmall'])
    expect(breakpoints.map(({ name, width }) => `${name} ${width}`)).toEqual([
      ...['xs 0', 'sm 40rem', 'md 48rem', 'lg 64rem', 'xl 80rem', 'xxl 96rem'],
    ])
    for (const { margin, padding, classes } of breakpoints) {
      expect(classes).toHaveLength(15)
      for (const row of classes) {
        expect(splitSpacing({ [margin]: row.size }).className).toBe(row.margin)
        expect(splitSpacing({ [padding]: row.size }).className).toBe(row.padding)
      }
    }
  })

  it('describeSpacing lists the sizes of a length and its custom property', () => {
    expect(describeSpacing({ sizes: { veryLoose: 'clamp(1rem, 4vw, 3rem)' } }).sizes).toEqual([
      {
        name: 'veryLoose',
        top: 'topVeryLoose',
        bottom: 'bottomVeryLoose',
        length: 'clamp(1rem, 4vw, 3rem)',
        property: '--sw-very-loose',
      },
    ])
  })

  it('describeSpacing rejects the same scales as the stylesheet', () => {
    expect(() => describeSpacing({ sizes: { a: '1rem}' } })).toThrow(
      "sizes.a: expected a length such as '1.5rem' or 'clamp(1rem, 4vw, 3rem)', got '1rem}'",
    )
  })
})
