import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noRequestDirectives, type RequestDirectives } from '../http/cache-control.js'
import { decideReuse, mayServeOnError, type ReuseTerms } from './reuse.js'
import type { PurgeState } from './tags/tag-index.js'

const entry = (given: Partial<ReuseTerms> = {}): ReuseTerms => ({
  lifetime: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  mustRevalidate: false,
  ...given,
})

describe('reuse (RFC 9111, sections 4 and 4.2.4; RFC 5861; tags)', () => {
  const swr = { staleWhileRevalidate: 30 }
  const table: [string, Partial<ReuseTerms>, Partial<RequestDirectives>, number, PurgeState, string][] = [
    ['fresh', {}, {}, 59, 'none', 'fresh'],
    ['as old as it may', {}, {}, 60, 'none', 'revalidate'],
    ['stale', {}, {}, 61, 'none', 'revalidate'],
    ['stale-while-revalidate', swr, {}, 89, 'none', 'stale-while-revalidate'],
    ['after stale-while-revalidate', swr, {}, 90, 'none', 'revalidate'],
    ['must-revalidate, fresh', { mustRevalidate: true }, {}, 1, 'none', 'fresh'],
    ['must-revalidate over stale-while-revalidate', { ...swr, mustRevalidate: true }, {}, 61, 'none', 'revalidate'],
    ['request no-cache', {}, { noCache: true }, 1, 'none', 'revalidate'],
    ['request max-age=0', {}, { maxAge: 0 }, 0, 'none', 'revalidate'],
    ['request max-age, younger', {}, { maxAge: 10 }, 9, 'none', 'fresh'],
    ['request max-age, older', {}, { maxAge: 10 }, 11, 'none', 'revalidate'],
    ['request min-fresh', {}, { minFresh: 10 }, 51, 'none', 'revalidate'],
    ['request min-fresh, enough', {}, { minFresh: 10 }, 49, 'none', 'fresh'],
    ['request max-stale', {}, { maxStale: 10 }, 69, 'none', 'fresh'],
    ['request max-stale, too stale', {}, { maxStale: 10 }, 71, 'none', 'revalidate'],
    ['request max-stale, must-revalidate', { mustRevalidate: true }, { maxStale: 10 }, 61, 'none', 'revalidate'],
    ['purged softly', {}, {}, 1, 'soft', 'stale-while-revalidate'],
    ['purged softly, and stale', {}, {}, 61, 'soft', 'revalidate'],
    ['purged hard', {}, {}, 1, 'hard', 'miss'],
    ['purged hard, max-stale', {}, { maxStale: 1e9 }, 1, 'hard', 'miss'],
    ['purged hard, stale-while-revalidate', swr, {}, 61, 'hard', 'miss'],
  ]
  it.each(table)('%s', (_, given, directives, age, purge, reuse) => {
    expect(decideReuse(entry(given), { ...noRequestDirectives, ...directives }, age, purge)).toBe(reuse)
  })

  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true })
  const anyEntry = fc.record({
    lifetime: seconds,
    staleWhileRevalidate: seconds,
    staleIfError: seconds,
    mustRevalidate: fc.boolean(),
  })
  const anyWishes = fc.record({
    noCache: fc.boolean(),
    noStore: fc.boolean(),
    onlyIfCached: fc.boolean(),
    maxAge: fc.option(seconds, { nil: undefined }),
    minFresh: fc.option(seconds, { nil: undefined }),
    maxStale: fc.option(seconds, { nil: undefined }),
  })

  it('never happens after a hard purge', () => {
    fc.assert(
      fc.property(anyEntry, anyWishes, seconds, (any, directives, age) => {
        expect(decideReuse(any, directives, age, 'hard')).toBe('miss')
        expect(mayServeOnError(any, age, 'hard')).toBe(false)
      }),
    )
  })

  it('after a soft purge always renders in the background, and never lasts longer', () => {
    fc.assert(
      fc.property(anyEntry, anyWishes, seconds, (any, directives, age) => {
        const [purged, before] = [decideReuse(any, directives, age, 'soft'), decideReuse(any, directives, age, 'none')]
        expect(purged).not.toBe('fresh')
        if (purged === 'stale-while-revalidate') expect(['fresh', 'stale-while-revalidate']).toContain(before)
      }),
    )
  })

  it('never serves stale what must be revalidated', () => {
    fc.assert(
      fc.property(anyEntry, anyWishes, seconds, (any, directives, age) => {
        fc.pre(any.mustRevalidate && age >= any.lifetime)
        expect(decideReuse(any, directives, age, 'none')).toBe('revalidate')
        expect(mayServeOnError(any, age, 'none')).toBe(false)
      }),
    )
  })

  it.each([
    ['within', { staleIfError: 10 }, 69, 'none', true],
    ['after', { staleIfError: 10 }, 71, 'none', false],
    ['without', {}, 61, 'none', false],
    ['must-revalidate', { staleIfError: 10, mustRevalidate: true }, 61, 'none', false],
    ['purged softly, fresh by time', {}, 59, 'soft', true],
  ] as [string, Partial<ReuseTerms>, number, PurgeState, boolean][])(
    'stale-if-error, %s',
    (_, given, age, purge, may) => {
      expect(mayServeOnError(entry(given), age, purge)).toBe(may)
    },
  )
})
