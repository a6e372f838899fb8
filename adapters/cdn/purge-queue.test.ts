import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CdnOptions, cloudflare, type PurgeError } from './index.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Answer = number | Response | 'hang'

/** A purge API: `answer` says how it responds to its nth call, by default after 50 ms and with success. */
function startApi(answer: (index: number, tags: string[]) => Answer = () => 200) {
  const calls: string[][] = []
  let open = 0
  let maxOpen = 0
  const send = async (request: Request) => {
    const { tags } = (await request.json()) as { tags: string[] }
    const given = answer(calls.push(tags) - 1, tags)
    maxOpen = Math.max(maxOpen, ++open)
    try {
      if (given === 'hang') {
        await new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (given instanceof Response) return given
      return Response.json({ success: given === 200 }, { status: given as number })
    } finally {
      open--
    }
  }
  return { calls, send, maxOpen: () => maxOpen }
}

const create = (send: CdnOptions['fetch'], options: CdnOptions = {}) =>
  cloudflare({ zoneId: 'z', token: 'api-token', fetch: send, ...options })
const range = (count: number, prefix = 'tag') => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
/** What became of each purge: `'purged'`, or why it failed. */
const settle = async (purges: Promise<void>[]) => {
  const results = Promise.all(
    purges.map((purge) =>
      purge.then(
        () => 'purged',
        (error: PurgeError) => error,
      ),
    ),
  )
  await vi.runAllTimersAsync()
  return results
}

describe('purges of one CDN', () => {
  it('that come while one runs share the next calls', async () => {
    const { calls, send } = startApi()
    const cdn = create(send)
    const results = await settle(range(300).map((tag) => cdn.purge([tag])))
    expect(results).toEqual(Array(300).fill('purged'))
    expect(calls.map((tags) => tags.length)).toEqual([1, 100, 100, 99])
    expect(calls.flat().sort()).toEqual(range(300).sort())
  })

  it('name a tag once in the next call, and again when one came after that call', async () => {
    const { calls, send } = startApi()
    const cdn = create(send)
    await settle(Array.from({ length: 100 }, () => cdn.purge(['document'])))
    expect(calls).toEqual([['document'], ['document']])
  })

  it('of different modes are different calls', async () => {
    const urls: string[] = []
    const { calls, send } = startApi()
    const cdn = create((request) => {
      urls.push(request.url.replace(/.*\//, ''))
      return send(request)
    })
    await settle([
      cdn.purge(['a']),
      cdn.purge(['b'], { mode: 'hard' }),
      cdn.purge(['c']),
      cdn.purge(['b'], { mode: 'soft' }),
    ])
    expect(calls).toEqual([['a'], ['b'], ['c', 'b']])
    expect(urls).toEqual(['invalidate_cache', 'purge_cache', 'invalidate_cache'])
  })

  it('are each acknowledged when all of their own tags are purged, and not before', async () => {
    const { send } = startApi((_, tags) => (tags.includes('tag-150') ? 500 : 200))
    const cdn = create(send)
    const results = await settle(
      [['first'], range(120), ['tag-3'], ['tag-150'], ['tag-119', 'other']].map((tags) => cdn.purge(tags)),
    )
    expect(results.map((result) => (result === 'purged' ? result : (result as PurgeError).tags))).toEqual([
      'purged',
      range(120).slice(100), // in one call with tag-150
      ['tag-3'], // which came after the call with the first
      ['tag-150'],
      ['tag-119', 'other'],
    ])
  })

  it('have few calls under way when the API hangs, and none after their time limit', async () => {
    const { calls, send, maxOpen } = startApi(() => 'hang')
    const cdn = create(send)
    const results = await settle(range(300).map((prefix) => cdn.purge(range(300, prefix))))
    expect(results.map((result) => (result as PurgeError).tags.length)).toEqual(Array(300).fill(300))
    expect(maxOpen()).toBeLessThanOrEqual(4)
    expect(calls.length).toBeLessThanOrEqual(12)
    expect(results[0]).toMatchObject({ message: expect.stringContaining('no response within 3000 ms') })
    expect(results[299]).toMatchObject({ message: expect.stringContaining('not purged within 8000 ms') })
  })

  it('do not wait longer because the system clock was set back', async () => {
    const { calls, send } = startApi((index) => (index === 0 ? 503 : 200))
    const cdn = create(send)
    const purge = settle([cdn.purge(['a'])])
    await vi.advanceTimersByTimeAsync(60)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await purge).toEqual(['purged'])
    expect(await settle([cdn.purge(['b'])])).toEqual(['purged'])
    expect(calls).toEqual([['a'], ['a'], ['b']])
  })

  it('wait for the Retry-After of any, and fail at once when it is beyond their time limit', async () => {
    const limited = () => new Response('', { status: 429, headers: { 'Retry-After': '5' } })
    const { calls, send } = startApi((index) => (index === 0 ? limited() : 200))
    const cdn = create(send)
    const first = cdn.purge(['a'])
    await vi.advanceTimersByTimeAsync(100)
    const later = cdn.purge(['b'])
    await vi.advanceTimersByTimeAsync(4900)
    expect(calls).toHaveLength(1)
    expect(await settle([first, later])).toEqual(['purged', 'purged'])

    const closed = startApi(() => new Response('', { status: 429, headers: { 'Retry-After': '3600' } }))
    const other = create(closed.send)
    await settle([other.purge(['a'])])
    const begin = Date.now()
    const [error] = await settle([other.purge(['b'])])
    expect(error).toMatchObject({
      message: expect.stringContaining('skipped: calls pause for longer than the time limit'),
    })
    expect(Date.now()).toBe(begin)
    expect(closed.calls).toEqual([['a']])
    await vi.advanceTimersByTimeAsync(300_000)
    await settle([other.purge(['b'])])
    expect(closed.calls).toEqual([['a'], ['b']])
  })

  it('end when the token is rejected; those that come later try it again', async () => {
    const { calls, send } = startApi((index) => (index === 0 ? 403 : 200))
    const cdn = create(send)
    const [first, ...others] = (await settle(range(99).map((tag) => cdn.purge([tag])))) as PurgeError[]
    expect(first?.message).toContain('HTTP 403')
    for (const error of others) expect(error.message).toContain('skipped: token was rejected')
    expect(calls).toHaveLength(1)
    expect(await settle([cdn.purge(['a'])])).toEqual(['purged'])
  })

  it('of too many tags at once are rejected, and accepted again afterwards', async () => {
    const { calls, send } = startApi(() => 'hang')
    const cdn = create(send, { timeout: 1000 })
    const waiting = range(5).map((prefix) => cdn.purge(range(20_000, prefix)))
    const settled = settle([...waiting, cdn.purge(['a', 'b'])])
    const error = (await settled)[5] as PurgeError
    expect(error.message).toBe('cloudflare: 2 of 2 tags not purged ("a", "b"): 100000 tags are waiting already')
    const before = calls.length
    await settle([cdn.purge(['a', 'b'])])
    expect(calls.slice(before)).toEqual([['a', 'b']])
  })
})
