import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Cdn, purgeEverywhere } from './index.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const invalidate = vi.fn()
const log = vi.fn()
const cdn = (name: string): Cdn & { purge: ReturnType<typeof vi.fn<Cdn['purge']>> } => ({
  name,
  headers: () => ({}),
  purge: vi.fn<Cdn['purge']>(async () => {}),
})
afterEach(() => void vi.clearAllMocks())

describe('purgeEverywhere', () => {
  it('purges the CDNs a second time, since a response may have been on its way', async () => {
    const fastlyCdn = cdn('fastly')
    await purgeEverywhere({ invalidate, cdns: [fastlyCdn], log })(['a'])
    expect(fastlyCdn.purge.mock.calls).toEqual([[['a'], { mode: 'soft' }]])
    await vi.advanceTimersByTimeAsync(4999)
    expect(fastlyCdn.purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(fastlyCdn.purge).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fastlyCdn.purge).toHaveBeenCalledTimes(2)
    expect(invalidate).toHaveBeenCalledExactlyOnceWith(['a'], { mode: 'hard' })
  })

  it('purges a CDN that charges for each tag once, unless repeatAfter is set', async () => {
    const cloudfrontCdn = { ...cdn('cloudfront'), isBilledByTag: true }
    await purgeEverywhere({ invalidate, cdns: [cloudfrontCdn], log })(['a'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(cloudfrontCdn.purge).toHaveBeenCalledTimes(1)
    await purgeEverywhere({ invalidate, cdns: [cloudfrontCdn], log, repeatAfter: 5_000 })(['a'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(cloudfrontCdn.purge).toHaveBeenCalledTimes(3)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
      'down',
    ],
    ['rejects with nothing', () => Promise.reject(undefined), 'undefined'],
  ])('logs a second purge that %s', async (_, fail, reason) => {
    const fastlyCdn = cdn('fastly')
    await purgeEverywhere({ invalidate, cdns: [fastlyCdn], log })(['a'])
    fastlyCdn.purge.mockImplementation(fail)
    await vi.advanceTimersByTimeAsync(5000)
    expect(log.mock.calls).toEqual([['CDN: second purge failed', { cdn: 'fastly', reason }]])
  })

  it('logs failed second purges, at most one a minute for each CDN', async () => {
    const [fastlyCdn, netlifyCdn] = [cdn('fastly'), cdn('netlify')]
    const purge = purgeEverywhere({ invalidate, cdns: [fastlyCdn, netlifyCdn], log, mode: 'hard', repeatAfter: 10 })
    for (let round = 0; round < 100; round++) await purge([`tag-${round}`])
    fastlyCdn.purge.mockRejectedValue(new Error('fastly is down'))
    netlifyCdn.purge.mockRejectedValue(new Error('netlify is down'))
    await vi.advanceTimersByTimeAsync(10)
    expect(fastlyCdn.purge).toHaveBeenCalledTimes(200)
    expect(fastlyCdn.purge).toHaveBeenLastCalledWith(['tag-99'], { mode: 'hard' })
    expect(log.mock.calls).toEqual([
      ['CDN: second purge failed', { cdn: 'fastly', reason: 'fastly is down' }],
      ['CDN: second purge failed', { cdn: 'netlify', reason: 'netlify is down' }],
    ])
  })

  it('does not purge a CDN a second time after a first purge that failed', async () => {
    const fastlyCdn = cdn('fastly')
    fastlyCdn.purge.mockRejectedValue(new Error('fastly is down'))
    await expect(purgeEverywhere({ invalidate, cdns: [fastlyCdn], log })(['a'])).rejects.toThrow('fastly is down')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fastlyCdn.purge).toHaveBeenCalledTimes(1)
  })

  it('purges the other CDN when one fails', async () => {
    const [fastlyCdn, netlifyCdn] = [cdn('fastly'), cdn('netlify')]
    fastlyCdn.purge.mockRejectedValue(new Error('fastly is down'))
    await expect(purgeEverywhere({ invalidate, cdns: [fastlyCdn, netlifyCdn] })(['a'])).rejects.toThrow(
      'fastly is down',
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect([fastlyCdn.purge.mock.calls.length, netlifyCdn.purge.mock.calls.length]).toEqual([1, 2])
  })

  it.each([-1, Number.NaN, 2 ** 31])('throws on repeatAfter %s', (repeatAfter) => {
    expect(() => purgeEverywhere({ invalidate, cdns: [], repeatAfter })).toThrow(
      `repeatAfter: expected a whole number from 0 to 2147483647, got ${repeatAfter}`,
    )
  })
})
