import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVariantLimit } from './variant-limit.js'

const url = 'https://a.test/'
const minute = 60_000

function startLimit(maxVariants: number) {
  const time = { now: 0 }
  const limit = createVariantLimit(maxVariants, () => time.now)
  const stored = new Set<string>()
  const use = (variant: string) => {
    stored.add(variant)
    const excess = limit.use(url, url + variant)
    if (excess !== undefined) expect(stored.delete(excess.slice(url.length))).toBe(true)
    return stored.has(variant)
  }
  return { time, stored, use }
}

describe('variants of a URL', () => {
  it('are never more than the bound, of which each that is not stored any longer is named', () => {
    assert(
      property(integer({ min: 0, max: 5 }), array(integer({ min: 0, max: 9 })), (bound, uses) => {
        const { time, stored, use } = startLimit(bound)
        for (const variant of uses) {
          use(String(variant))
          time.now += 1000 * variant
          expect(stored.size).toBeLessThanOrEqual(bound)
        }
        expect(stored.size).toBe(Math.min(bound, new Set(uses).size))
      }),
    )
  })

  it('that visitors ask for stay, whatever number of values a client makes up', () => {
    const { time, use } = startLimit(64)
    use('de')
    for (let number = 0; number < 20_000; number++) {
      use(`made-up-${number}`)
      time.now += 10
      // Once in three minutes.
      if (number % 18_000 === 0) expect(use('de')).toBe(true)
    }
  })

  it('that visitors begin to ask for are stored although others were made up before', () => {
    const { time, use } = startLimit(64)
    for (let number = 0; number < 1_000; number++) use(`made-up-${number}`)
    const found = []
    for (let visit = 0; visit < 5; visit++) {
      found.push(use('de'))
      for (let number = 0; number < 1_000; number++) use(`later-${visit}-${number}`)
      time.now += 10_000
    }
    expect(found).toEqual([false, true, true, true, true])
  })

  it('are remembered within 8 MB, also of many URLs', () => {
    const limit = createVariantLimit(64)
    const urls = Array.from({ length: 500 }, (_, number) => `${url}${number}`)
    for (const each of urls) for (let variant = 0; variant < 64; variant++) limit.use(each, `${each}#${variant}`)
    const bytes = urls.filter((each) => limit.has(each)).length * 65 * 1_000
    expect(bytes).toBeLessThan(8_000_000)
    expect(bytes).toBeGreaterThan(7_000_000)
  })

  it.each([
    ['any', url],
    ['long', `${url}${'a'.repeat(8_000)}`],
  ])('of %s URL are bounded by that, however many are allowed', (_, each) => {
    const limit = createVariantLimit(100_000)
    let stored = 0
    for (let variant = 0; variant < 10_000; variant++) {
      if (limit.use(each, `${each}#${variant}`) === undefined) stored++
    }
    expect(stored * (1_000 + 2 * each.length)).toBeLessThan(8_000_000)
    expect(stored * (1_000 + 2 * each.length)).toBeGreaterThan(7_000_000)
    expect(limit.has(each)).toBe(true)
  })

  it('that nobody asks for any more give way', () => {
    const { time, use, stored } = startLimit(2)
    for (let visit = 0; visit < 100; visit++) for (const variant of ['a', 'b']) use(variant)
    time.now += 120 * minute
    expect(use('c')).toBe(true)
    time.now += minute
    expect(use('d')).toBe(true)
    expect(stored).toEqual(new Set(['c', 'd']))
  })
})
