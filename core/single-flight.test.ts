import { describe, expect, it, vi } from 'vitest'
import { createDeferred } from './async.js'
import { type SharedWork, singleFlight } from './single-flight.js'

const start = () => {
  const begun: { work: SharedWork; settle: (result: string | Promise<string>) => void }[] = []
  const use = singleFlight((_: string, work) => {
    const { promise, resolve } = createDeferred<string>()
    begun.push({ work, settle: resolve })
    return promise
  })
  const read = (signal?: AbortSignal, then: (result: string) => string | Promise<string> = (result) => result) =>
    use('key', 'job', signal, then)
  return { begun, read }
}
const reason = new Error('aborted: all clients disconnected')

describe('singleFlight', () => {
  it('gives one result to all callers that use it at the same time, and drops it after the last use', async () => {
    const { begun, read } = start()
    const lastUse = createDeferred<string>()
    const callers = [read(), read(undefined, () => lastUse.promise)]
    begun[0]?.settle('done')
    expect(await callers[0]).toBe('done')
    expect(await read()).toBe('done')
    expect([begun.length, begun[0]?.work.signal.aborted]).toEqual([1, false])
    lastUse.resolve('used')
    expect(await callers[1]).toBe('used')
    expect(begun[0]?.work.signal.aborted).toBe(true)
    const later = read()
    begun[1]?.settle('done again')
    expect(await later).toBe('done again')
  })

  it('gives a failure to all callers, and begins again for the next one', async () => {
    const { begun, read } = start()
    const callers = [read(), read()]
    begun[0]?.settle(Promise.reject(new Error('failed')))
    for (const caller of callers) await expect(caller).rejects.toThrow('failed')
    void read()
    expect(begun.length).toBe(2)
  })

  it('aborts the work when its last caller leaves, and not before', async () => {
    const { begun, read } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    const callers = [read(first.signal), read(second.signal)]
    first.abort(new Error('left'))
    await expect(callers[0]).rejects.toThrow('left')
    expect(begun[0]?.work.signal.aborted).toBe(false)
    second.abort(new Error('left, too'))
    await expect(callers[1]).rejects.toThrow('left, too')
    expect(begun[0]?.work.signal.reason).toEqual(reason)
  })

  it('abandoned work that fails afterwards causes no unhandled rejection, and ends no newer work', async () => {
    const onUnhandled = vi.fn()
    process.on('unhandledRejection', onUnhandled)
    const { begun, read } = start()
    const visitor = new AbortController()
    const abandoned = read(visitor.signal)
    visitor.abort()
    await expect(abandoned).rejects.toThrow()
    const newer = read()
    begun[0]?.work.join()()
    begun[0]?.settle(Promise.reject(new Error('failed')))
    await new Promise(setImmediate)
    process.off('unhandledRejection', onUnhandled)
    expect(onUnhandled).not.toHaveBeenCalled()
    const joined = read()
    begun[1]?.settle('done')
    expect([await newer, await joined, begun.length]).toEqual(['done', 'done', 2])
  })

  it('goes on without callers while the work itself has joined', async () => {
    const { begun, read } = start()
    const visitor = new AbortController()
    const left = read(visitor.signal)
    const leave = begun[0]?.work.join()
    visitor.abort()
    await expect(left).rejects.toThrow()
    expect(begun[0]?.work.signal.aborted).toBe(false)
    leave?.()
    expect(begun[0]?.work.signal.reason).toEqual(reason)
  })

  it('does not begin for a caller that has left already', async () => {
    const { begun, read } = start()
    await expect(read(AbortSignal.abort())).rejects.toThrow()
    expect(begun).toEqual([])
  })
})
