import { describe, expect, it } from 'vitest'
import { chartSpacing, splitSpacing } from './index.js'

describe('chartSpacing', () => {
  it('has the 15 sizes on the 6 breakpoints, with the classes that the props give', () => {
    const { sizes, breakpoints } = chartSpacing()
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

  it('names the sizes of a length and its custom property', () => {
    expect(chartSpacing({ sizes: { veryLoose: 'clamp(1rem, 4vw, 3rem)' } }).sizes).toEqual([
      {
        name: 'veryLoose',
        top: 'topVeryLoose',
        bottom: 'bottomVeryLoose',
        length: 'clamp(1rem, 4vw, 3rem)',
        property: '--sw-very-loose',
      },
    ])
  })

  it('refuses what the stylesheet refuses', () => {
    expect(() => chartSpacing({ sizes: { a: '1rem}' } })).toThrow("sizes.a: '1rem}' is no length")
  })
})
