import { describe, expect, it } from 'vitest'
import { maxSeconds, parseRequestDirectives } from './cache-control.js'

describe('request directives (RFC 9111, section 5.2.1)', () => {
  const read = (headers: Record<string, string>, honor = true) => parseRequestDirectives(new Headers(headers), honor)
  it('the directives of a request are parsed', () => {
    expect(read({})).toEqual({ noCache: false, noStore: false, onlyIfCached: false })
    expect(read({ pragma: 'x, no-cache' }).noCache).toBe(true)
    expect(read({ pragma: 'no-cache', 'cache-control': 'max-age=1' }).noCache).toBe(false)
    expect(read({ 'cache-control': 'max-age=1, min-fresh=2, max-stale=3' })).toMatchObject({
      maxAge: 1,
      minFresh: 2,
      maxStale: 3,
    })
    expect(read({ 'cache-control': 'max-stale' }).maxStale).toBe(maxSeconds)
  })
  it('an option ignores all directives of a request except only-if-cached and max-stale', () => {
    const headers = { 'cache-control': 'no-cache, no-store, max-age=0, min-fresh=9, only-if-cached, max-stale=1' }
    expect(read(headers, false)).toEqual({ noCache: false, noStore: false, onlyIfCached: true, maxStale: 1 })
    expect(read({ pragma: 'no-cache' }, false).noCache).toBe(false)
  })
})
