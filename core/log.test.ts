import { afterEach, describe, expect, it, vi } from 'vitest'
import { logError, throttleLog } from './log.js'

afterEach(() => void vi.useRealTimers())

describe('throttleLog', () => {
  const start = () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const written: [message: string, detail: Record<string, unknown>][] = []
    const log = throttleLog((...args) => written.push(args))
    return {
      written,
      log: (at: number, message: string, detail: Record<string, unknown> = {}) => {
        vi.advanceTimersByTime(at - performance.now())
        log(message, detail)
      },
    }
  }

  it('throttleLog writes each message once per minute, with the number of suppressed repetitions', () => {
    const { log, written } = start()
    for (const at of [0, 1, 30_000, 59_999, 60_000, 60_001]) log(at, 'failed', { at })
    log(200_000, 'failed', { at: 200_000 })
    log(300_000, 'failed', { at: 300_000 })
    expect(written).toEqual([
      ['failed', { at: 0 }],
      ['failed', { at: 60_000, suppressed: 3 }],
      ['failed', { at: 200_000, suppressed: 1 }],
      ['failed', { at: 300_000 }],
    ])
  })

  it('throttleLog counts each message separately', () => {
    const { log, written } = start()
    log(0, 'a')
    log(1, 'b')
    log(2, 'a')
    log(60_001, 'b')
    expect(written.map(([message]) => message)).toEqual(['a', 'b', 'b'])
  })

  it('throttleLog uses a monotonic clock', () => {
    const write = vi.fn()
    const log = throttleLog(write)
    log('a', {})
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    log('a', {})
    now.mockRestore()
    expect(write).toHaveBeenCalledOnce()
  })
})

it('logError writes to console.error', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  logError('failed', { reason: 'x' })
  expect(error.mock.calls).toEqual([['failed', { reason: 'x' }]])
  error.mockRestore()
})

it('throttleLog holds back messages by their key, and beyond 100 keys by the message alone', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const log = vi.fn()
  const keyOf = (message: string, { source }: Record<string, unknown>) => `${message} ${source}`
  const warn = throttleLog(log, { keyOf })
  const sources = Array.from({ length: 100 }, (_, index) => `${index}`)
  for (const source of [...sources, '1', 'a', 'b', 'c']) warn('broken', { source })
  expect(log.mock.calls.map(([, { source }]) => source)).toEqual([...sources, 'a'])
  vi.advanceTimersByTime(60_000)
  for (const source of ['1', ...sources.map((name) => `later ${name}`)]) warn('broken', { source })
  const later = log.mock.calls.slice(101).map(([, { source, suppressed = 0 }]) => [source, suppressed])
  // A later message counts the repetitions of the keys that have made room for it.
  expect(later.filter(([, suppressed]) => suppressed > 0)).toEqual([
    ['1', 1],
    ['later 98', 2],
  ])
})
