import { describe, expect, it, vi } from 'vitest'
import { createInFlight } from './single-flight.js'

const start = () => {
  const [onEnd, onAbandoned] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const work = createInFlight<string>({ onEnd, onAbandoned })
  const calls = () => [onEnd.mock.calls.length, onAbandoned.mock.calls.length]
  return { work, calls }
}

describe('createInFlight', () => {
  it('work in flight gives its result to every caller that joined', async () => {
    const { work, calls } = start()
    const leaveAll = [work.join(), work.join()]
    expect(calls()).toEqual([0, 0])
    work.resolve('done')
    expect(await work.result).toBe('done')
    for (const leave of leaveAll) leave()
    expect([calls(), work.signal.aborted]).toEqual([[1, 0], false])
  })

  it('work in flight that fails rejects for every caller that joined', async () => {
    const { work, calls } = start()
    const leave = work.join()
    work.reject(new Error('failed'))
    await expect(work.result).rejects.toThrow('failed')
    leave()
    expect(calls()).toEqual([1, 0])
  })

  it('work in flight that fails without callers causes no unhandled rejection', async () => {
    const onUnhandled = vi.fn()
    process.on('unhandledRejection', onUnhandled)
    start().work.reject(new Error('failed'))
    await new Promise(setImmediate)
    process.off('unhandledRejection', onUnhandled)
    expect(onUnhandled).not.toHaveBeenCalled()
  })

  it('work continues after its last caller has left if shouldContinue allows it, and can still be joined', async () => {
    const onAbandoned = vi.fn<() => void>()
    const shouldContinue = vi.fn<() => boolean>().mockReturnValueOnce(true).mockReturnValueOnce(false)
    const work = createInFlight<string>({ shouldContinue, onAbandoned })
    const [leaveFirst, leaveSecond] = [work.join(), work.join()]
    leaveFirst()
    expect(shouldContinue).not.toHaveBeenCalled()
    leaveSecond()
    expect([shouldContinue.mock.calls.length, work.signal.aborted]).toEqual([1, false])
    work.join()()
    expect([onAbandoned.mock.calls.length, work.signal.aborted]).toEqual([1, true])
  })

  it('work is aborted when its last caller leaves, and not before', () => {
    const { work, calls } = start()
    const [leaveFirst, leaveSecond] = [work.join(), work.join()]
    leaveFirst()
    leaveFirst() // a second call does not count
    expect([calls(), work.signal.aborted]).toEqual([[0, 0], false])
    leaveSecond()
    expect([calls(), work.signal.reason]).toEqual([[1, 1], new Error('aborted: all clients disconnected')])
  })

  it('work ends only once, even if it settles after it was abandoned', async () => {
    const { work, calls } = start()
    work.join()()
    work.resolve('late')
    expect(await work.result).toBe('late')
    expect(calls()).toEqual([1, 1])
  })

  it('onEnd is called before the abort, so that no caller joins aborted work', () => {
    const aborted: boolean[] = []
    const work = createInFlight<string>({ onEnd: () => aborted.push(work.signal.aborted) })
    work.join()()
    expect(aborted).toEqual([false])
  })

  it('work in flight can be aborted from outside', () => {
    const { work, calls } = start()
    work.join()
    const reason = new Error('closed')
    work.abort(reason)
    expect([calls(), work.signal.reason]).toEqual([[0, 0], reason])
  })
})
