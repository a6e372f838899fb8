import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { short } from '../../test/setup/long.js'
import { buildWorker, runChaos } from './testing/chaos.js'
import { until } from './testing/redis-server.js'
import { startSentinel } from './testing/sentinel.js'

// Three servers and three Sentinels. The master is paused until another one took over, and resumed, so that for some
// seconds two servers say that they are the master; then the same in the other direction, which leads back to the first.
const seconds = short(26, 300)
// A Sentinel demotes a master that came back after some 8 s.
const demotionTime = 11_000
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let worker: Awaited<ReturnType<typeof buildWorker>>
beforeAll(async () => {
  worker = await buildWorker()
})
afterAll(() => worker.remove())

interface Run {
  settings: readonly string[]
  milliseconds: number
  untilViolation?: boolean
}

async function run({ settings, ...rest }: Run) {
  const sentinel = await startSentinel({ settings })
  const shared = { sentinelPorts: sentinel.sentinelPorts, clockAhead: 0 }
  const workers = [
    { ...shared, kind: 'ioredis', inRedis: false, detectsFailover: true },
    { ...shared, kind: 'ioredis', inRedis: false }, // stays on the old master until it is demoted
    { ...shared, kind: 'redis', inRedis: true },
  ] as const
  const injectFaults = async (_: unknown, isRunning: () => boolean, onFault: () => void) => {
    await wait(1_500)
    while (isRunning()) {
      const old = await sentinel.master()
      old.signal('SIGSTOP')
      await until(async () => (await sentinel.masterPort()) !== old.port || !isRunning())
      await wait(Math.random() * 1_000)
      old.signal('SIGCONT')
      onFault()
      const resumedAt = Date.now()
      while (isRunning() && Date.now() - resumedAt < demotionTime) await wait(100)
    }
  }
  try {
    return await runChaos({ file: worker.file, workers, injectFaults, ...rest })
  } finally {
    await sentinel.stop()
  }
}

describe('failover, pause and resume of the old master, and back', () => {
  it(
    `with min-replicas-to-write, a majority: nobody reads a purged page within ${seconds} s`,
    async () => {
      const settings = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2']
      const { count, violations, failures } = await run({ settings, milliseconds: seconds * 1000 })
      console.log(count)
      expect(violations).toEqual([])
      expect(failures).toEqual([])
      expect(count.faults).toBeGreaterThan(1)
      expect(count.hits).toBeGreaterThan(count.reads / 50)
    },
    (seconds + 90) * 1000,
  )

  it('without it, the checker sees what the old master answers', async () => {
    const { violations } = await run({ settings: [], milliseconds: 60_000, untilViolation: true })
    expect(violations).not.toEqual([])
  }, 120_000)
})
