import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { buildWorker, type ChaosInstance, pick, runChaos } from './testing/chaos.js'
import type { WorkerSettings } from './testing/chaos-worker.js'
import { startProxy, startRedis } from './testing/redis-server.js'

const seconds = rounds(10)
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let worker: Awaited<ReturnType<typeof buildWorker>>
beforeAll(async () => {
  worker = await buildWorker()
})
afterAll(() => worker.remove())

interface Run {
  milliseconds: number
  bug?: WorkerSettings['bug']
  faults?: readonly ('cut' | 'stall' | 'drop-replies' | 'kill' | 'kill-empty' | 'flush' | 'stop')[]
  untilViolation?: boolean
}

/** Three processes on one Redis, each behind a faulty proxy. */
async function run({ bug, faults = [], ...options }: Run) {
  const redis = await startRedis(['--appendonly', 'no'])
  const proxies = await Promise.all([0, 1, 2].map(() => startProxy(redis.port)))
  const shapes = [
    { kind: 'redis', inRedis: true, clockAhead: 0 },
    { kind: 'ioredis', inRedis: true, clockAhead: 3_600_000 },
    { kind: 'ioredis', inRedis: false, clockAhead: -3_600_000 },
  ] as const
  const workers = shapes.map((shape, index) => ({ ...shape, redisPort: proxies[index]?.port, bug }))
  const injectFaults = async (instances: readonly ChaosInstance[], isRunning: () => boolean, onFault: () => void) => {
    while (isRunning() && faults.length > 0) {
      await wait(300 + Math.random() * 900)
      const index = Math.floor(Math.random() * instances.length)
      const [instance, proxy] = [instances[index], proxies[index]]
      if (!instance || !proxy) continue
      const fault = pick(faults)
      onFault()
      if (fault === 'cut') proxy.cut()
      if (fault === 'stall' || fault === 'drop-replies') {
        proxy.set(fault)
        await wait(Math.random() * 600)
        proxy.cut()
        proxy.set('forward')
      }
      if (fault === 'stop') {
        instance.child.kill('SIGSTOP')
        await wait(Math.random() * 800)
        instance.child.kill('SIGCONT')
      }
      if (fault === 'flush') await command(redis.port, 'FLUSHALL')
      if (fault === 'kill' || fault === 'kill-empty') {
        // A snapshot that lacks all later purges.
        if (fault === 'kill') await command(redis.port, 'SAVE')
        await wait(Math.random() * 300)
        await redis.kill()
        if (fault === 'kill-empty') await redis.empty()
        await wait(Math.random() * 300)
        await redis.start()
      }
    }
  }
  try {
    return await runChaos({ file: worker.file, workers, injectFaults, ...options })
  } finally {
    for (const proxy of proxies) await proxy.stop()
    await redis.stop()
  }
}

async function command(port: number, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', () => socket.destroy())
    socket.once('error', () => {})
    socket.once('close', () => resolve())
  })
}

const allFaults = ['cut', 'stall', 'drop-replies', 'kill', 'kill-empty', 'flush', 'stop'] as const

describe('three processes', () => {
  it(
    `never serve a purged page under random purges, reads and faults for ${seconds} s`,
    async () => {
      const { count, violations, failures } = await run({ milliseconds: seconds * 1000, faults: allFaults })
      console.log(count)
      expect(violations).toEqual([])
      expect(failures).toEqual([])
      expect(count.hits).toBeGreaterThan(count.reads / 20)
      expect(count.acknowledged).toBeGreaterThan(seconds)
    },
    (seconds + 60) * 1000,
  )
})

describe('the checker catches a cache that', () => {
  const bugs = [
    ['trusts a Redis that restarted with an old snapshot', 'trusts-restarts', ['kill']],
    ['stamps entries after the render', 'stamps-late', []],
    ['never sees a purge', 'never-reads-stamp', []],
    ['acknowledges a purge before Redis does', 'acknowledges-early', ['drop-replies', 'stall', 'cut']],
    ['joins renders that started before a purge', 'joins-any-render', []],
  ] as const
  it.each(bugs)(
    '%s',
    async (_, bug, faults) => {
      // It ends at the first violation: after seconds, or half a minute on a busy machine.
      const { violations } = await run({ milliseconds: 150_000, bug, faults, untilViolation: true })
      expect(violations).not.toEqual([])
    },
    180_000,
  )
})
