import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noRequestDirectives, type RequestDirectives } from '../http/cache-control.js'
import { decideReuse, mayServeOnError, type ReuseTerms } from './reuse.js'
import type { PurgeState } from './tags/tag-index.js'

const entry = (overrides: Partial<ReuseTerms> = {}): ReuseTerms => ({
  lifetime: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  mustRevalidate: false,
  ...overrides,
})

describe('reuse (RFC 9111, sections 4 and 4.2.4; RFC 5861; tags)', () => {
  const swr = { staleWhileRevalidate: 30 }
  const table: [string, Partial<ReuseTerms>, Partial<RequestDirectives>, number, PurgeState, string][] = [
    ['fresh', {}, {}, 59, 'none', 'fresh'],
    ['exactly as old as its lifetime', {}, {}, 60, 'none', 'revalidate'],
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
  it.each(table)(
    'a stored response is reused as its terms allow: %s',
    (_, overrides, directives, age, purge, reuse) => {
      expect(decideReuse(entry(overrides), { ...noRequestDirectives, ...directives }, age, purge)).toBe(reuse)
    },
  )

  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true })
  const anyEntry = fc.record({
    lifetime: seconds,
    staleWhileRevalidate: seconds,
    staleIfError: seconds,
    mustRevalidate: fc.boolean(),
  })
  const anyDirectives = fc.record({
    noCache: fc.boolean(),
    noStore: fc.boolean(),
    onlyIfCached: fc.boolean(),
    maxAge: fc.option(seconds, { nil: undefined }),
    minFresh: fc.option(seconds, { nil: undefined }),
    maxStale: fc.option(seconds, { nil: undefined }),
  })

  it('no response is reused after a hard purge', () => {
    fc.assert(
      fc.property(anyEntry, anyDirectives, seconds, (terms, directives, age) => {
        expect(decideReuse(terms, directives, age, 'hard')).toBe('miss')
        expect(mayServeOnError(terms, age, 'hard')).toBe(false)
      }),
    )
  })

  it('after a soft purge, a response is always rendered again, and is never served for longer', () => {
    fc.assert(
      fc.property(anyEntry, anyDirectives, seconds, (terms, directives, age) => {
        const [purged, before] = [
          decideReuse(terms, directives, age, 'soft'),
          decideReuse(terms, directives, age, 'none'),
        ]
        expect(purged).not.toBe('fresh')
        if (purged === 'stale-while-revalidate') expect(['fresh', 'stale-while-revalidate']).toContain(before)
      }),
    )
  })

  it('a response that must be revalidated is never served stale', () => {
    fc.assert(
      fc.property(anyEntry, anyDirectives, seconds, (terms, directives, age) => {
        fc.pre(terms.mustRevalidate && age >= terms.lifetime)
        expect(decideReuse(terms, directives, age, 'none')).toBe('revalidate')
        expect(mayServeOnError(terms, age, 'none')).toBe(false)
      }),
    )
  })

  it.each([
    ['within stale-if-error', { staleIfError: 10 }, 69, 'none', true],
    ['after stale-if-error', { staleIfError: 10 }, 71, 'none', false],
    ['without stale-if-error', {}, 61, 'none', false],
    ['must-revalidate', { staleIfError: 10, mustRevalidate: true }, 61, 'none', false],
    ['purged softly, fresh by time', {}, 59, 'soft', true],
  ] as [string, Partial<ReuseTerms>, number, PurgeState, boolean][])(
    'a stored response is served on an error as its terms allow: %s',
    (_, overrides, age, purge, may) => {
      expect(mayServeOnError(entry(overrides), age, purge)).toBe(may)
    },
  )
})
