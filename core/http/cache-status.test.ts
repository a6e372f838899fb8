import { describe, expect, it } from 'vitest'
import { createCacheStatus } from './cache-status.js'

describe('Cache-Status (RFC 9211)', () => {
  const describeOutcome = createCacheStatus('edge')
  it('Cache-Status is formatted for a hit and a miss, and a name that is not a token is rejected', () => {
    expect(describeOutcome({ hit: true, ttl: -3, detail: 'stale' })).toBe('edge; hit; ttl=-3; detail=stale')
    expect(describeOutcome({ forward: 'uri-miss', status: 200, stored: true, collapsed: true })).toBe(
      'edge; fwd=uri-miss; fwd-status=200; stored; collapsed',
    )
    expect(() => createCacheStatus('my cache')).toThrow(/^name: /)
  })
})
