import { describe, expect, it, vi } from 'vitest'
import { createInFlight } from './single-flight.js'

const start = () => {
  const [onEnd, onAbandoned] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const work = createInFlight<string>({ onEnd, onAbandoned })
  const calls = () => [onEnd.mock.calls.length, onAbandoned.mock.calls.length]
  return { work, calls }
}

describe('createInFlight', () => {
  it('gives its result to all who joined', async () => {
    const { work, calls } = start()
    const leave = [work.join(), work.join()]
    expect(calls()).toEqual([0, 0])
    work.resolve('done')
    expect(await work.result).toBe('done')
    for (const each of leave) each()
    expect([calls(), work.signal.aborted]).toEqual([[1, 0], false])
  })

  it('rejects for all who joined', async () => {
    const { work, calls } = start()
    const leave = work.join()
    work.reject(new Error('failed'))
    await expect(work.result).rejects.toThrow('failed')
    leave()
    expect(calls()).toEqual([1, 0])
  })

  it('reports no unhandled rejection when nobody waits', async () => {
    const onUnhandled = vi.fn()
    process.on('unhandledRejection', onUnhandled)
    start().work.reject(new Error('failed'))
    await new Promise(setImmediate)
    process.off('unhandledRejection', onUnhandled)
    expect(onUnhandled).not.toHaveBeenCalled()
  })

  it('goes on when the last one leaves, where it may, and others may join it', async () => {
    const onAbandoned = vi.fn<() => void>()
    const shouldContinue = vi.fn<() => boolean>().mockReturnValueOnce(true).mockReturnValueOnce(false)
    const work = createInFlight<string>({ shouldContinue, onAbandoned })
    const [first, second] = [work.join(), work.join()]
    first()
    expect(shouldContinue).not.toHaveBeenCalled()
    second()
    expect([shouldContinue.mock.calls.length, work.signal.aborted]).toEqual([1, false])
    work.join()()
    expect([onAbandoned.mock.calls.length, work.signal.aborted]).toEqual([1, true])
  })

  it('is aborted when the last one leaves, and only then', () => {
    const { work, calls } = start()
    const [first, second] = [work.join(), work.join()]
    first()
    first() // a second call does not count
    expect([calls(), work.signal.aborted]).toEqual([[0, 0], false])
    second()
    expect([calls(), work.signal.reason]).toEqual([[1, 1], new Error('aborted: all clients disconnected')])
  })

  it('ends once, also when it settles after it was abandoned', async () => {
    const { work, calls } = start()
    work.join()()
    work.resolve('late')
    expect(await work.result).toBe('late')
    expect(calls()).toEqual([1, 1])
  })

  it('calls onEnd before it aborts, so that nobody joins aborted work', () => {
    const aborted: boolean[] = []
    const work = createInFlight<string>({ onEnd: () => aborted.push(work.signal.aborted) })
    work.join()()
    expect(aborted).toEqual([false])
  })

  it('can be aborted from outside', () => {
    const { work, calls } = start()
    work.join()
    const reason = new Error('closed')
    work.abort(reason)
    expect([calls(), work.signal.reason]).toEqual([[0, 0], reason])
  })
})
