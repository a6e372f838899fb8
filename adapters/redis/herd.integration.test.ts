import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '../../test/setup/long.js'
import { buildWorker } from './testing/chaos.js'
import { type HerdOptions, type HerdResult, startHerd } from './testing/herd.js'

let worker: Awaited<ReturnType<typeof buildWorker>>
let herd: Awaited<ReturnType<typeof startHerd>>
beforeAll(async () => {
  worker = await buildWorker('herd-worker')
})
afterAll(() => worker.remove())

const start = async (options: Omit<HerdOptions, 'file'>) => {
  herd = await startHerd({ file: worker.file, ...options })
}

describe.each(['redis', 'memory and redis'] as const)('%s', (stores) => {
  it('renders each page once after a purge, whatever the number of processes', { timeout: 1_200_000 }, async () => {
    const results: HerdResult[] = []
    // Without leases only for the table.
    for (const withoutLeases of isLong ? [true, false] : [false]) {
      for (const processes of isLong ? [1, 5, 20, 50] : [5]) {
        await start({ stores, processes, withoutLeases, renderTime: 100 })
        try {
          results.push(await herd.measure(5))
          if (isLong) console.log(stores, results.at(-1))
        } finally {
          await herd.stop()
        }
      }
    }
    for (const { renders, stale, withoutLeases } of results) {
      expect(stale).toBe(0)
      if (!withoutLeases) expect(renders).toBe(1)
    }
  })
})

it('renders on another process when the one that renders is killed', { timeout: 120_000 }, async () => {
  await start({ stores: 'memory and redis', processes: 3, renderTime: 1_000 })
  try {
    const [first, ...others] = herd.instances
    const page = herd.pages[0] as string
    const lost = herd.read(first?.port ?? 0, page).catch(() => 'lost')
    await vi.waitFor(() => expect(herd.renders()).toBe(1), 30_000)
    const reads = others.map(({ port }) => herd.read(port, page))
    first?.child.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await Promise.all(reads)
    expect(herd.renders()).toBe(2)
  } finally {
    await herd.stop()
  }
})
