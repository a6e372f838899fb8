import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { type SpacingProps, type SpacingSize, spacingStylesheet, splitSpacing } from './index.js'
import { createSplitSpacing } from './split.js'

afterEach(() => void vi.restoreAllMocks())

/** Values that a CMS may send, which the compiler cannot check. */
const fromCms = (props: Record<string, unknown>) => props as SpacingProps & { className?: string }

describe('splitSpacing', () => {
  it('splitSpacing returns the classes of both sides, of one side, and of several breakpoints', () => {
    expect(splitSpacing({ marginXs: 'base' }).className).toBe('sw-base-xs-mt sw-base-xs-mb')
    expect(splitSpacing({ paddingXxl: 'bottomExtraSmall' }).className).toBe('sw-extra-small-xxl-pb')
    expect(splitSpacing({ marginXs: 'large', marginMd: 'topSmall' }).className).toBe(
      'sw-large-xs-mt sw-large-xs-mb sw-small-md-mt',
    )
  })

  it('splitSpacing keeps the caller’s className and every other prop, but no spacing prop', () => {
    const onClick = () => {}
    const symbol = { deep: true }
    const props = {
      id: 'a',
      className: 'hero wide',
      marginXs: 'topBase',
      onClick,
      'data-x': symbol,
      style: {},
    } as const
    const { className, rest } = splitSpacing(props)
    expect(className).toBe('hero wide sw-base-xs-mt')
    expect(rest).toStrictEqual({ id: 'a', onClick, 'data-x': symbol, style: {} })
    expect(rest['data-x']).toBe(symbol)
  })

  it('splitSpacing returns no className without spacing and className', () => {
    expect(splitSpacing({})).toStrictEqual({ className: undefined, rest: {} })
    expect(splitSpacing({ className: '', marginXs: undefined })).toStrictEqual({ className: undefined, rest: {} })
    expect(splitSpacing({ className: 'hero' })).toStrictEqual({ className: 'hero', rest: {} })
  })

  it('splitSpacing does not change its argument', () => {
    const props = Object.freeze({ marginXs: 'small', className: 'a', id: 'b' } as const)
    expect(splitSpacing(props).className).toBe('a sw-small-xs-mt sw-small-xs-mb')
    expect(props).toEqual({ marginXs: 'small', className: 'a', id: 'b' })
  })

  it('splitSpacing returns the same classes for the same props', () => {
    const props = { marginXs: 'small', paddingLg: 'topLarge' } as const
    expect(splitSpacing(props).className).toBe(splitSpacing({ ...props }).className)
  })

  it('splitSpacing ignores __proto__ from JSON', () => {
    const { rest } = splitSpacing(fromCms(JSON.parse('{"__proto__":{"hidden":true},"constructor":"x","id":"a"}')))
    expect(Object.getPrototypeOf(rest)).toBe(Object.prototype)
    expect(Object.keys(rest)).toEqual(['constructor', 'id'])
  })
})

describe('an invalid size', () => {
  const trap = () => {
    throw new Error('toString was called')
  }
  const values: [unknown, string][] = [
    ['huge', "'huge'"],
    ['', "''"],
    ['Small', "'Small'"],
    ['small ', "'small '"],
    ['topsmall', "'topsmall'"],
    ['small base', "'small base'"],
    ['__proto__', "'__proto__'"],
    ['constructor', "'constructor'"],
    ['toString', "'toString'"],
    ['x'.repeat(1000), `'${'x'.repeat(100)}…'`],
    [0, '0'],
    [1, '1'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [false, 'false'],
    [['small'], 'a list'],
    [[], 'an empty list'],
    [{ size: 'small' }, 'an object'],
    [{ toString: () => 'small' }, 'an object'],
    [{ toString: trap }, 'an object'],
    [Object.create(null), 'an object'],
    [Object('small'), 'an object'],
    [() => 'small', 'a function'],
    [Symbol('small'), 'Symbol(small)'],
    [1n, '1'],
  ]

  it.each(values)('an invalid size is ignored, with a warning: %o', (value, shown) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const split = createSplitSpacing()
    const { className, rest } = split(fromCms({ marginXs: value, paddingXs: 'topBase', id: 'a', className: 'hero' }))
    expect(className).toBe('hero sw-base-xs-pt')
    expect(rest).toStrictEqual({ id: 'a' })
    expect(warn).toHaveBeenCalledOnce()
    expect(warn).toHaveBeenCalledWith(
      'marginXs: expected one of base, large, extraLarge, small, extraSmall, ' +
        `or one side such as 'topBase', got ${shown}; prop ignored`,
    )
  })

  it('each invalid size is reported once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const split = createSplitSpacing()
    for (const value of ['huge', 'tiny', 'huge', {}, {}, 'tiny']) split(fromCms({ marginXs: value, paddingXs: value }))
    expect(warn).toHaveBeenCalledTimes(3)
  })

  it('at most a hundred invalid sizes are reported, so that a CMS cannot fill the memory', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const split = createSplitSpacing()
    for (let index = 0; index < 1000; index++) split(fromCms({ marginXs: `no-${index}` }))
    expect(warn).toHaveBeenCalledTimes(100)
  })

  it('the sizes null and undefined are ignored without a warning', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(createSplitSpacing()(fromCms({ marginXs: null, marginSm: undefined }))).toStrictEqual({
      className: undefined,
      rest: {},
    })
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('the warning', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  it.each([
    ['development', 1],
    ['test', 1],
    [undefined, 1],
    ['production', 0],
  ])('with NODE_ENV %s, %i warnings are written', (environment, times) => {
    vi.stubEnv('NODE_ENV', environment)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    createSplitSpacing()(fromCms({ marginXs: 'huge' }))
    expect(warn).toHaveBeenCalledTimes(times)
  })

  it('nothing is written if there is no process', () => {
    vi.stubGlobal('process', undefined)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    createSplitSpacing()(fromCms({ marginXs: 'huge' }))
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('types', () => {
  it('the types of props and results are exact', () => {
    expectTypeOf<
      keyof SpacingProps
    >().toEqualTypeOf<`${'margin' | 'padding'}${'Xs' | 'Sm' | 'Md' | 'Lg' | 'Xl' | 'Xxl'}`>()
    expectTypeOf<SpacingSize>().toEqualTypeOf<
      | 'extraSmall'
      | 'small'
      | 'base'
      | 'large'
      | 'extraLarge'
      | 'topExtraSmall'
      | 'topSmall'
      | 'topBase'
      | 'topLarge'
      | 'topExtraLarge'
      | 'bottomExtraSmall'
      | 'bottomSmall'
      | 'bottomBase'
      | 'bottomLarge'
      | 'bottomExtraLarge'
    >()
    const { className, rest } = splitSpacing({ marginXs: 'base', className: 'a', id: 'b' })
    expectTypeOf(className).toEqualTypeOf<string | undefined>()
    expectTypeOf(rest).toEqualTypeOf<{ id: string }>()
  })

  it('wrong spacing props are type errors', () => {
    const custom = createSplitSpacing({ breakpoints: { phone: '0' }, sizes: { tight: '1rem' } })
    const mistakes = () => {
      // @ts-expect-error an unknown size
      splitSpacing({ marginXs: 'huge' })
      // @ts-expect-error a size is a string
      splitSpacing({ marginXs: 1 })
      // @ts-expect-error the side comes first
      splitSpacing({ marginXs: 'smallTop' })
      // @ts-expect-error an unknown breakpoint
      splitSpacing({ marginHuge: 'small' })
      // @ts-expect-error an unknown breakpoint beside a known one
      splitSpacing({ paddingXs: 'small', padding2xl: 'small' })
      // @ts-expect-error not one of the custom breakpoints
      custom({ marginXs: 'tight' })
      // @ts-expect-error not one of the custom sizes
      custom({ marginPhone: 'small' })
      // @ts-expect-error a width is a string
      createSplitSpacing({ breakpoints: { phone: 0 } })
      // @ts-expect-error the option is called sizes
      createSplitSpacing({ size: { tight: '1rem' } })
    }
    expect(mistakes).toBeTypeOf('function')
    expect(custom({ marginPhone: 'topTight', marginHeight: 0 })).toEqual({
      className: 'sw-tight-phone-mt',
      rest: { marginHeight: 0 },
    })
    const sizesOnly = createSplitSpacing({ sizes: { tight: '1rem' } })
    expect(sizesOnly({ marginXs: 'tight' }).className).toBe('sw-tight-xs-mt sw-tight-xs-mb')
    const breakpointsOnly = createSplitSpacing({ breakpoints: { phone: '0' } })
    expect(breakpointsOnly({ marginPhone: 'topSmall' }).className).toBe('sw-small-phone-mt')
  })
})

it('a scale may have a size that resets a side', () => {
  const scale = { sizes: { large: '4rem', none: '0' } }
  const { className } = createSplitSpacing(scale)({ marginXs: 'large', marginMd: 'topNone' })
  expect(className).toBe('sw-large-xs-mt sw-large-xs-mb sw-none-md-mt')
  expect(spacingStylesheet(scale)).toContain('.sw-none-md-mt{margin-block-start:var(--sw-none,0)}')
})
