import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Cdn, PurgeError, purgeEverywhere } from './index.js'

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
    const one = cdn('one')
    await purgeEverywhere({ invalidate, cdns: [one], log })(['a'])
    expect(one.purge.mock.calls).toEqual([[['a'], { mode: 'soft' }]])
    await vi.advanceTimersByTimeAsync(4999)
    expect(one.purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(one.purge).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(one.purge).toHaveBeenCalledTimes(2)
    expect(invalidate).toHaveBeenCalledExactlyOnceWith(['a'], { mode: 'hard' })
  })

  it('logs a failed second purge, which also follows a failed first one', async () => {
    const one = cdn('one')
    one.purge.mockRejectedValue(new PurgeError('one', { tags: ['a'], total: 1, reasons: new Set(['HTTP 500']) }))
    const purge = purgeEverywhere({ invalidate, cdns: [one], log, mode: 'hard', repeatAfter: 10 })
    await expect(purge(['a'])).rejects.toThrow('one: 1 of 1 tags not purged ("a"): HTTP 500')
    await vi.advanceTimersByTimeAsync(10)
    expect(one.purge.mock.calls).toEqual(Array(2).fill([['a'], { mode: 'hard' }]))
    expect(log).toHaveBeenCalledExactlyOnceWith('CDN: second purge failed', {
      reason: expect.stringContaining('one: '),
    })
  })

  it('purges the other CDN when one fails', async () => {
    const [one, other] = [cdn('one'), cdn('other')]
    one.purge.mockRejectedValue(new Error('one is down'))
    await expect(purgeEverywhere({ invalidate, cdns: [one, other], repeatAfter: 0 })(['a'])).rejects.toThrow(
      'one is down',
    )
    expect(other.purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(other.purge).toHaveBeenCalledTimes(1)
  })

  it.each([-1, Number.NaN, 2 ** 31])('throws on repeatAfter %s', (repeatAfter) => {
    expect(() => purgeEverywhere({ invalidate, cdns: [], repeatAfter })).toThrow(
      `repeatAfter: expected milliseconds >= 0, such as 5_000, got ${repeatAfter}`,
    )
  })
})
