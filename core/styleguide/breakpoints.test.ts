import { describe, expect, it } from 'vitest'
import { breakpointRanges } from './breakpoints.js'

const valuesOf = (...values: string[]) => values.map((value, index) => ({ name: `b${index}`, value }))

describe('breakpointRanges', () => {
  it.each([
    [[], []],
    [
      ['0', '48rem'],
      [0, 768],
    ],
    [['48rem'], [0, 768]],
    [
      ['1024px', '640px'],
      [0, 640, 1024],
    ],
    [
      ['40em', '48rem', '1000px'],
      [0, 640, 768, 1000],
    ],
    [
      ['0px', '30em'],
      [0, 480],
    ],
  ])('the ranges of the breakpoints %j start at %j pixels', (values, pixels) => {
    expect(breakpointRanges(valuesOf(...values)).ranges.map((range) => range.pixels)).toEqual(pixels)
  })

  it('each range names the next breakpoint, and the range below the first breakpoint has no name', () => {
    const [sm, md] = [
      { name: 'sm', value: '40rem' },
      { name: 'md', value: '48rem' },
    ]
    expect(breakpointRanges([md, sm]).ranges).toEqual([
      { name: undefined, value: '0', pixels: 0, next: sm, until: 640 },
      { ...sm, pixels: 640, next: md, until: 768 },
      { ...md, pixels: 768, next: undefined, until: undefined },
    ])
  })

  it('breakpoints without a plain width are returned apart from the ranges', () => {
    const { ranges, withoutWidth } = breakpointRanges(valuesOf('print', '(hover: hover)', '50vw', '-1px', '', '640'))
    expect(ranges).toEqual([])
    expect(withoutWidth).toHaveLength(6)
  })
})
