import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { buildWorker, runChaos } from './testing/chaos.js'
import { until } from './testing/redis-server.js'
import { startSentinel } from './testing/sentinel.js'

// Three servers and three Sentinels. The master is paused until another one took over, and resumed, so that for some
// seconds two servers say that they are the master; then the same in the other direction, which leads back to the
// first. Or it is separated from the others, while instances on its side go on asking it.
const seconds = rounds(10)
// A Sentinel demotes a master that came back after some 8 s.
const demotionTime = 11_000
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let worker: Awaited<ReturnType<typeof buildWorker>>
beforeAll(async () => {
  worker = await buildWorker()
})
afterAll(() => worker.remove())

type Sentinel = Awaited<ReturnType<typeof startSentinel>>
type Server = Sentinel['nodes'][number]

interface Run {
  settings: readonly string[]
  downAfter?: number
  milliseconds: number
  minFaults?: number
  untilViolation?: boolean
  /** The fault of a master, and how it ends. */
  fault?: 'pause' | 'separate'
}

const faults: Record<NonNullable<Run['fault']>, Record<'begin' | 'end', (server: Server) => void>> = {
  pause: { begin: (server) => server.signal('SIGSTOP'), end: (server) => server.signal('SIGCONT') },
  separate: { begin: ({ proxy }) => proxy.set('stall'), end: ({ proxy }) => proxy.set('forward') },
}

/**
 * Instances that connect through the Sentinels, or beside one of the first two servers, which are separated in turn.
 */
function workersOf({ sentinelPorts, nodes }: Sentinel, fault: NonNullable<Run['fault']>) {
  const at = (index: number) => ({ clockAhead: 0, redisPort: nodes[index]?.port })
  const shared = { clockAhead: 0, sentinelPorts }
  return fault === 'separate'
    ? ([
        { ...at(0), kind: 'ioredis', inRedis: false },
        { ...at(1), kind: 'redis', inRedis: false },
        { ...shared, kind: 'ioredis', inRedis: true },
      ] as const)
    : ([
        { ...shared, kind: 'ioredis', inRedis: false, detectsFailover: true },
        { ...shared, kind: 'ioredis', inRedis: false }, // stays on the old master until it is demoted
        { ...shared, kind: 'redis', inRedis: true },
      ] as const)
}

async function run({ settings, downAfter = 800, fault = 'pause', ...options }: Run) {
  const sentinel = await startSentinel({ settings, downAfter })
  const { begin, end } = faults[fault]
  const injectFaults = async (_: unknown, isRunning: () => boolean, onFault: () => void) => {
    await wait(1_500)
    while (isRunning()) {
      const oldMaster = await sentinel.master()
      begin(oldMaster)
      await until(async () => (await sentinel.master()) !== oldMaster || !isRunning())
      await wait(Math.random() * 1_000)
      if (fault === 'separate') for (let time = 0; time < 20 && isRunning(); time++) await wait(100)
      end(oldMaster)
      onFault()
      const endedAt = Date.now()
      while (isRunning() && Date.now() - endedAt < demotionTime) await wait(100)
    }
  }
  try {
    return await runChaos({ file: worker.file, workers: workersOf(sentinel, fault), injectFaults, ...options })
  } finally {
    await sentinel.stop()
  }
}

describe('failover, pause and resume of the old master, and back', () => {
  it(
    `with min-replicas-to-write for a majority, no purged page is served in failovers of ${seconds} s`,
    async () => {
      const settings = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2']
      const { count, violations, failures } = await run({
        settings,
        milliseconds: seconds * 1000,
        minFaults: 1,
      })
      console.log(count)
      expect(violations).toEqual([])
      expect(failures).toEqual([])
      expect(count.faults).toBeGreaterThanOrEqual(1)
      expect(count.hits).toBeGreaterThan(count.reads / 50)
    },
    (seconds + 150) * 1000,
  )

  it('without min-replicas-to-write, the checker finds the old answers of the old master', async () => {
    const { violations } = await run({ settings: [], milliseconds: 150_000, untilViolation: true })
    expect(violations).not.toEqual([])
  }, 180_000)
})

describe('a master that is separated from the others, with instances on its side', () => {
  it(
    `with min-replicas-max-lag well under down-after, a separated master serves no purged page in ${seconds} s`,
    async () => {
      const settings = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '1']
      const { count, violations, failures } = await run({
        settings,
        downAfter: 3_500,
        fault: 'separate',
        milliseconds: seconds * 1000,
        minFaults: 1,
      })
      console.log(count)
      expect(violations).toEqual([])
      expect(failures).toEqual([])
      expect(count.faults).toBeGreaterThan(0)
      expect(count.hits).toBeGreaterThan(count.reads / 50)
    },
    (seconds + 150) * 1000,
  )

  it('without these settings, the checker finds the old answers of the separated master', async () => {
    const { violations } = await run({ settings: [], fault: 'separate', milliseconds: 150_000, untilViolation: true })
    expect(violations).not.toEqual([])
  }, 180_000)
})
