import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CdnOptions, cloudflare } from './index.js'

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
    const status = answer(calls.push(tags) - 1, tags)
    maxOpen = Math.max(maxOpen, ++open)
    try {
      if (status === 'hang') {
        await new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (status instanceof Response) return status
      return Response.json({ success: status === 200 }, { status: status as number })
    } finally {
      open--
    }
  }
  return { calls, send, maxOpen: () => maxOpen }
}

const create = (send: CdnOptions['fetch'], options: Partial<CdnOptions> = {}) =>
  cloudflare({ zoneId: 'z', token: 'api-token', fetch: send, ...options })
const range = (count: number, prefix = 'tag') => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
/** Returns the outcome of each purge: `'purged'`, or why it failed. */
const settle = async (purges: Promise<void>[]) => {
  const results = Promise.all(
    purges.map((purge) =>
      purge.then(
        () => 'purged',
        (error: Error) => error.message,
      ),
    ),
  )
  await vi.runAllTimersAsync()
  return results
}

describe('purges of one CDN', () => {
  it('purges that start while another is running share the next calls', async () => {
    const { calls, send } = startApi()
    const cdn = create(send)
    const results = await settle(range(300).map((tag) => cdn.purge([tag])))
    expect(results).toEqual(Array(300).fill('purged'))
    expect(calls.map((tags) => tags.length)).toEqual([100, 100, 100])
    expect(calls.flat().sort()).toEqual(range(300).sort())
  })

  it('the next call names a tag once, and a purge after that call names the tag again', async () => {
    const { calls, send } = startApi()
    const cdn = create(send)
    const firstPurges = Array.from({ length: 100 }, () => cdn.purge(['document']))
    await vi.advanceTimersByTimeAsync(10)
    await settle([...firstPurges, ...Array.from({ length: 100 }, () => cdn.purge(['document']))])
    expect(calls).toEqual([['document'], ['document']])
  })

  it('purges of different modes are different calls', async () => {
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
    expect(calls).toEqual([['a', 'c', 'b'], ['b']])
    expect(urls).toEqual(['invalidate_cache', 'purge_cache'])
  })

  it('each purge is acknowledged when all of its own tags are purged, and not before', async () => {
    const { send } = startApi((_, tags) => (tags.includes('tag-150') ? 500 : 200))
    const cdn = create(send)
    const results = await settle(
      [['first'], range(120), ['tag-3'], ['tag-150'], ['tag-119', 'other']].map((tags) => cdn.purge(tags)),
    )
    const failed = (count: string, first: string) => expect.stringContaining(`${count} tags not purged ("${first}"`)
    expect(results).toEqual([
      'purged',
      failed('21 of 120', 'tag-99'), // in one call with tag-150
      'purged',
      failed('1 of 1', 'tag-150'),
      failed('2 of 2', 'tag-119'),
    ])
  })

  it('when the API hangs, few calls are in progress, and all purges fail within their time limit', async () => {
    const { send, maxOpen } = startApi(() => 'hang')
    const cdn = create(send)
    const begin = Date.now()
    const results = await settle(range(100).map((prefix) => cdn.purge(range(100, prefix))))
    expect(Date.now() - begin).toBeLessThanOrEqual(9_000)
    expect(maxOpen()).toBe(4)
    expect(results[0]).toContain('no response in time')
    expect(results[99]).toContain('not sent within 8000 ms')
  })

  it('a purge does not wait longer because the system clock was set back', async () => {
    const { calls, send } = startApi((index) => (index === 0 ? 503 : 200))
    const cdn = create(send)
    const purge = settle([cdn.purge(['a'])])
    await vi.advanceTimersByTimeAsync(60)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await purge).toEqual(['purged'])
    expect(await settle([cdn.purge(['b'])])).toEqual(['purged'])
    expect(calls).toEqual([['a'], ['a'], ['b']])
  })

  it('all purges wait for a Retry-After, and fail immediately if it is beyond their time limit', async () => {
    const limited = () => new Response('', { status: 429, headers: { 'Retry-After': '5' } })
    const { calls, send } = startApi((index) => (index === 0 ? limited() : 200))
    const cdn = create(send)
    const firstPurge = cdn.purge(['a'])
    await vi.advanceTimersByTimeAsync(100)
    const laterPurge = cdn.purge(['b'])
    await vi.advanceTimersByTimeAsync(4900)
    expect(calls).toHaveLength(1)
    expect(await settle([firstPurge, laterPurge])).toEqual(['purged', 'purged'])

    const blockedApi = startApi(() => new Response('', { status: 429, headers: { 'Retry-After': '3600' } }))
    const blockedCdn = create(blockedApi.send)
    await settle([blockedCdn.purge(['a'])])
    const begin = Date.now()
    const [error] = await settle([blockedCdn.purge(['b'])])
    expect(error).toContain('not sent within 8000 ms')
    expect(Date.now()).toBe(begin)
    expect(blockedApi.calls).toEqual([['a']])
    await vi.advanceTimersByTimeAsync(300_000)
    await settle([blockedCdn.purge(['b'])])
    expect(blockedApi.calls).toEqual([['a'], ['b']])
  })
})
